import { describe, expect, it } from 'vitest';
import type { PolicyDocument } from '../../../dashboard/app/api/schema.ts';
import { difference } from '../../../dashboard/app/screens/policy/difference.ts';
import { KINDS, kindState, limitsOf, withKind, withLimits } from '../../../dashboard/app/screens/policy/switches.ts';
import { DEFAULT_POLICY } from '../../../src/domain/policy/default-policy.ts';

const BEGINNING: PolicyDocument = { ...DEFAULT_POLICY, rules: [...DEFAULT_POLICY.rules] as PolicyDocument['rules'] };
const TYPES = KINDS.map(({ type }) => type);
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

  it.each(TYPES)('of %s that denies stands before all other rules, and behind them where it allows', (type) => {
    expect(withKind(BEGINNING, type, 'deny').rules[0]?.decision).toBe('deny');
    expect(kindState(withKind(BEGINNING, type, 'deny'), type).before).toEqual([]);
    expect(withKind(BEGINNING, type, 'allow').rules.at(-1)?.decision).toBe('allow');
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

it('a difference names the lines that went and came, with those around', () => {
  const lines = difference([...'abcdef'], [...'abcXef']);
  expect(lines.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'removed', text: 'd' },
    { kind: 'added', text: 'X' },
  ]);
  expect(difference(['a', 'b'], ['a', 'b']).every(({ kind }) => kind === 'same' || kind === 'gap')).toBe(true);
});
