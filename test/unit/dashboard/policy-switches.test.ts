import { describe, expect, it } from 'vitest';
import type { PolicyDocument, PolicyRule } from '../../../dashboard/app/api/schema.ts';
import { KINDS, kindState, limitsOf, withKind, withLimits } from '../../../dashboard/app/screens/policy/switches.ts';
import { compilePolicy, factsOf } from '../../../src/domain/policy/compile.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../../src/domain/policy/document.ts';
import { evaluate } from '../../../src/domain/policy/evaluate.ts';
import { given } from '../policy/facts.ts';

const BEGINNING: PolicyDocument = { ...DEFAULT_POLICY, rules: [...DEFAULT_POLICY.rules] as PolicyDocument['rules'] };
const TYPES = KINDS.map(({ type }) => type);
const SET = ['allow', 'review', 'challenge', 'deny'] as const;
const DECISIONS = ['none', 'allow', 'review', 'challenge', 'deny'] as const;
const ids = ({ rules }: PolicyDocument) => rules.map(({ id }) => id);

describe('a switch', () => {
  it.each(TYPES)('of %s shows what it was set to, whatever it was before, and makes one rule', (type) => {
    const others = ids(withKind(BEGINNING, type, 'none'));
    for (const first of DECISIONS)
      for (const second of DECISIONS) {
        const changed = withKind(withKind(BEGINNING, type, first), type, second);
        expect(kindState(changed, type).decision).toBe(second === 'none' ? null : second);
        expect(changed.rules).toHaveLength(others.length + (second === 'none' ? 0 : 1));
        expect(ids(changed).filter((id) => others.includes(id))).toEqual(others);
      }
  });

  const OTHERS = TYPES.filter((type) => type !== 'disposable');
  it.each(OTHERS)('of %s comes before all other rules where it denies, and after them where it allows', (type) => {
    expect(withKind(BEGINNING, type, 'deny').rules[0]?.decision).toBe('deny');
    expect(kindState(withKind(BEGINNING, type, 'deny'), type).before).toEqual([]);
    expect(withKind(BEGINNING, type, 'allow').rules.at(-1)?.decision).toBe('allow');
  });

  describe('of disposable addresses', () => {
    const DISPOSABLE = { email_type: 'disposable', recommendation: 'drop', reason: 'disposable_domain' } as const;
    const decide = (document: PolicyDocument, verification: Parameters<typeof given>[0]) => {
      const parsed = parsePolicy(document, () => null);
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
      return evaluate(compilePolicy(parsed.value), factsOf(given(verification)), () => 'control');
    };
    const withoutRule = withKind(BEGINNING, 'disposable', 'none');

    it.each(SET)('decides %s, although they are to be dropped', (decision) => {
      for (const before of [BEGINNING, withoutRule, withKind(BEGINNING, 'disposable', 'allow')]) {
        const document = withKind(before, 'disposable', decision);
        expect(decide(document, DISPOSABLE)).toMatchObject({ decision });
        expect(kindState(document, 'disposable')).toMatchObject({
          before: decision === 'deny' ? ['typo'] : [],
          movable: null,
        });
      }
    });

    it.each(SET)(
      'set to %s, leaves a mistyped domain to be challenged, and what is blocked or takes no mail denied',
      (decision) => {
        const document = withKind(BEGINNING, 'disposable', decision);
        expect(decide(document, { ...DISPOSABLE, did_you_mean: 'ada@gmail.com' })).toMatchObject({
          decision: 'challenge',
        });
        for (const reason of ['address_blocklisted', 'domain_blocklisted', 'no_mx'] as const)
          expect(decide(document, { ...DISPOSABLE, reason })).toMatchObject({ decision: 'deny' });
      },
    );

    it('is, if it denies, only after the hopeless cases and the typos', () => {
      const vip: PolicyRule = { id: 'vip', when: { path: 'attributes.vip', op: 'eq', value: true }, decision: 'allow' };
      const before = { ...BEGINNING, rules: [...BEGINNING.rules.slice(0, 2), vip, ...BEGINNING.rules.slice(2)] };
      expect(kindState(before, 'disposable')).toMatchObject({ before: ['typo', 'vip'], movable: 'deny' });
      const document = withKind(before, 'disposable', 'deny');
      expect(ids(document).slice(0, 4)).toEqual(['blocked', 'typo', 'disposable', 'vip']);
      expect(kindState(document, 'disposable')).toMatchObject({ before: ['typo'], movable: null });
    });

    it('names the rules of the recommendation that stand before it', () => {
      const set = withKind(BEGINNING, 'disposable', 'challenge').rules.filter(({ id }) => id === 'disposable');
      const last = { ...BEGINNING, rules: [...withoutRule.rules, ...set] };
      expect(kindState(last, 'disposable').movable).toBe('challenge');
      expect(kindState(last, 'disposable').before).toEqual([
        'undeliverable',
        'warning',
        'hold',
        'relay',
        'role',
        'free',
      ]);
    });
  });
});

it.each([
  { review: 0.4, deny: null },
  { review: null, deny: 0.8 },
  { review: 0.2, deny: 0.7 },
])('limits on the number are read as they were set, and go without a trace: %j', (limits) => {
  expect(limitsOf(withLimits(BEGINNING, limits))).toEqual(limits);
  const none = { review: null, deny: null };
  expect(withLimits(withLimits(BEGINNING, limits), none)).toEqual(withLimits(BEGINNING, none));
});
