import { expect, it } from 'vitest';
import type { PolicyCondition, PolicyRule } from '../../../dashboard/app/api/schema.ts';
import { alreadyText, mostlyAlreadyText } from '../../../dashboard/app/screens/learning/already.ts';

const when = { path: 'verification.esp', op: 'eq', value: 'self_hosted' } as const;
const other = { path: 'verification.esp', op: 'eq', value: 'consumer_esp' } as const;
const recommendation = { rule: { id: 'r', when, decision: 'review' as const }, proposed_action: 'review' as const };
const rule = (id: string, decision: PolicyRule['decision'], change: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  when,
  decision,
  ...change,
});
const butFor = (...value: string[]): PolicyCondition => ({
  all: [when, { not: { path: 'verification.reason', op: 'in', value } }],
});
const experiment = { id: 'x', weight: 20, min_sample: 400 };

it.each<[string, PolicyRule[], string | null]>([
  ['no rule', [], null],
  ['a stricter rule', [rule('a', 'deny')], 'denies these already, by the rule a, which may explain the low rate.'],
  [
    'one as strict',
    [rule('a', 'review')],
    'sends these to review already, by the rule a, which may explain the low rate.',
  ],
  ['a laxer rule', [rule('a', 'allow')], null],
  ['a laxer rule before a stricter one', [rule('a', 'allow'), rule('b', 'deny')], null],
  [
    'a laxer rule about others',
    [rule('a', 'allow', { when: other }), rule('b', 'deny')],
    'denies these already, by the rule b, which may explain the low rate.',
  ],
  ['a rule about others', [rule('a', 'deny', { when: other })], null],
  ['an experiment', [rule('a', 'deny', { experiment })], null],
  [
    'a rule that leaves out what is blocked',
    [rule('a', 'deny', { when: butFor('no_mx') })],
    'denies these already, by the rule a, which may explain the low rate.',
  ],
  ['a rule that leaves out more', [rule('a', 'deny', { when: butFor('no_mx', 'role_address') })], null],
  ['itself', [rule('r', 'review')], null],
])('of %s', (_title, rules, said) => {
  const text = alreadyText({ slug: 'default', rules }, recommendation);
  expect(text).toBe(said === null ? null : `The policy “default” ${said}`);
});

it.each<[string, PolicyRule[], string | null]>([
  [
    'a rule about the other',
    [rule('a', 'deny', { when: other })],
    'denies most of these already, by the rule a, which may explain the low rate.',
  ],
  ['a laxer rule about the other', [rule('a', 'allow', { when: other })], null],
  [
    'a rule about neither',
    [rule('a', 'deny', { when: { path: 'verification.esp', op: 'eq', value: 'unknown' } })],
    null,
  ],
  ['its own rule', [rule('r', 'review', { when: other })], null],
])('of most addresses, which another segment has too: %s', (_title, rules, said) => {
  const twin = { ...recommendation, rule: { ...recommendation.rule, id: 's', when: other } };
  const text = mostlyAlreadyText({ slug: 'default', rules }, recommendation, twin);
  expect(text).toBe(said === null ? null : `The policy “default” ${said}`);
});
