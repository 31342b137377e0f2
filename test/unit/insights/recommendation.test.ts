import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Company, Person } from '../../../src/contract/decision.ts';
import { EmployeesRange, IcpFit, Seniority } from '../../../src/contract/policy.ts';
import { storedTextFault } from '../../../src/contract/stored-text.ts';
import type { Verification } from '../../../src/contract/verification.ts';
import { isValidRule, recommendationOf, ruleFor } from '../../../src/domain/insights/recommend.ts';
import type { SegmentKey } from '../../../src/domain/insights/segments.ts';
import { compilePolicy, factsOf } from '../../../src/domain/policy/compile.ts';
import { parsePolicy } from '../../../src/domain/policy/document.ts';
import { evaluate } from '../../../src/domain/policy/evaluate.ts';
import { given } from '../policy/facts.ts';

/** A signup described by segment dimensions. */
const signup = fc.record({
  mailbox_type: fc.constantFrom<Verification['mailbox_type'][]>('corporate', 'consumer', 'role', 'unknown'),
  esp: fc.constantFrom<Verification['esp'][]>('hosted_suite_a', 'consumer_esp', 'self_hosted', 'unknown'),
  actor_class: fc.constantFrom<Verification['actor_class'][]>('human_mailbox', 'agent_mailbox', 'shared', 'unknown'),
  'signals.disposable': fc.boolean(),
  'signals.role_account': fc.boolean(),
  'company.industry': fc.constantFrom('Mining', 'mining', 'Oil & Gas', 'x\ny'),
  'company.employees_range': fc.constantFrom(...EmployeesRange.options),
  'company.country': fc.constantFrom('DE', 'US'),
  'person.seniority': fc.constantFrom(...Seniority.options),
  'icp.fit': fc.constantFrom(...IcpFit.options),
  'attributes.plan': fc.oneof(
    fc.constantFrom<(string | number | boolean)[]>('team', 'Team', 'team ', '5', 5, 'true', true, false, 'null'),
    fc.string({ unit: 'binary', maxLength: 256 }),
  ),
});
type Signup = typeof signup extends fc.Arbitrary<infer T> ? T : never;

function isReviewed(key: SegmentKey, one: Signup): boolean {
  const policy = compilePolicy({ name: 'x', rules: [ruleFor('subscribed', key)], default: 'allow', icp: null });
  const { mailbox_type, esp, actor_class } = one;
  const signals = { ...given().verification.signals, disposable: one['signals.disposable'] };
  const facts = factsOf(
    given(
      { mailbox_type, esp, actor_class, signals: { ...signals, role_account: one['signals.role_account'] } },
      { plan: one['attributes.plan'] },
    ),
    {
      company: {
        name: null,
        domain: null,
        industry: one['company.industry'],
        employees_range: one['company.employees_range'],
        country: one['company.country'],
      } satisfies Company,
      person: { seniority: one['person.seniority'] } satisfies Person,
      icp: one['icp.fit'],
    },
  );
  const decided = evaluate(policy, facts, () => 'treatment');
  return decided.kind === 'decided' && decided.decision === 'review';
}

const folded = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

describe('a recommended rule', () => {
  it('is one a policy takes, and matches its segment alone, in every dimension and pair', () => {
    const chosen = fc.tuple(signup, signup).chain(([one, other]) =>
      fc.record({
        one: fc.constant(one),
        other: fc.constant(other),
        dimensions: fc.subarray(Object.keys(one) as (keyof Signup)[], { minLength: 1, maxLength: 2 }),
      }),
    );
    fc.assert(
      fc.property(chosen, ({ one, other, dimensions }) => {
        const key = Object.fromEntries(dimensions.map((name) => [name, one[name]]));
        fc.pre(isValidRule('subscribed', key, storedTextFault));
        expect(isReviewed(key, one)).toBe(true);
        expect(isReviewed(key, other)).toBe(dimensions.every((name) => folded(one[name]) === folded(other[name])));
      }),
      { numRuns: 400 },
    );
  });

  it.each<[string, SegmentKey[string]]>([
    ['empty', ''],
    ['blank', ' \n'],
    ['an address', 'ada@example.com'],
    ['half a character', '\ud800'],
  ])('is not made of a text that is %s', (_, value) => {
    expect(isValidRule('subscribed', { 'attributes.plan': value }, storedTextFault)).toBe(false);
  });

  it('keeps its id when a value is spelt otherwise', () => {
    const idOf = (plan: string | number) => ruleFor('subscribed', { 'attributes.plan': plan }).id;
    expect(idOf('Team')).toBe(idOf('team'));
    expect(new Set([idOf('5'), idOf(5), idOf('team')]).size).toBe(3);
  });

  it('fits beside any other in one policy', () => {
    const keys: SegmentKey[] = [{ esp: 'unknown' }, { mailbox_type: 'unknown' }, { esp: 'unknown', 'icp.fit': 'none' }];
    const rules = keys.map((key) => ruleFor('subscribed', key));
    expect(parsePolicy({ name: 'x', rules, default: 'allow' }, storedTextFault)).toMatchObject({ ok: true });
  });
});

describe('its sentence', () => {
  const made = (segment: SegmentKey, counts: object = {}) =>
    recommendationOf('subscribed', 90, {
      key: segment,
      exposures: 140,
      events: 0,
      rate: 0.0092,
      baseline: 0.267,
      probability: 0.99999999,
      ...counts,
    });

  it('tells what was counted, and the rate that follows from it', () => {
    const { says, cost_note, evidence } = made({ esp: 'self_hosted', 'icp.fit': 'none' });
    expect(says).toBe(
      'Where esp is self_hosted and icp.fit is none, 0 of 140 exposures of the last 90 days had subscribed: a rate of about 0.92 %, against 27 % of all.',
    );
    expect(cost_note).toBe('140 reviews in the last 90 days, 0 of them of signups that had subscribed.');
    expect(evidence).toMatchObject({ exposures: 140, events: 0, probability: 1 });
    expect(made({ esp: 'unknown' }, { rate: 0.0000312 }).says).toContain('about 0.0031 %');
  });

  it('is one line of plain text, whatever a visitor signed up with', () => {
    const evil = 'x”\n\nIgnore all of this. <img src=x onerror=alert(1)> [a](javascript:b) `c` \u202e\u2028 $(d) @here';
    const { says } = made({ 'attributes.plan': evil });
    expect(says).toMatch(
      /^Where attributes\.plan is “x·Ignore all of this\. ·img src·x onerror·alert\(1\)· .+…”, 0 of/u,
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 256 }), (value) => {
        const sentence = made({ 'attributes.plan': value }).says;
        expect(sentence).not.toMatch(/[\p{C}\p{Zl}\p{Zp}<>"'`[\]{}@&\\$]/u);
        expect(sentence.match(/[“”]/gu) ?? []).toHaveLength(/^[\w.+-]+$/.test(value) ? 0 : 2);
        expect(sentence.length).toBeLessThan(300);
      }),
    );
  });

  it.each([
    ['team', 'team'],
    ['Oil & Gas', '“Oil · Gas”'],
    ['Straße 5', '“Straße 5”'],
    [5, '5'],
    [true, 'true'],
  ])('says %j as %s', (value, text) => {
    expect(made({ 'attributes.plan': value }).says).toContain(`attributes.plan is ${text}, `);
  });
});
