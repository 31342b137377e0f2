import { expect, it } from 'vitest';
import type { PolicyDocument, PolicyRule } from '../../../dashboard/app/api/schema.ts';
import { newlyShadowed } from '../../../dashboard/app/screens/policy/disturbed.ts';

const free = { path: 'verification.email_type', op: 'eq', value: 'free' } as const;
const enterprise = { path: 'attributes.plan', op: 'eq', value: 'enterprise' } as const;
const rule = (id: string, when: PolicyRule['when'], more: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  when,
  decision: 'review',
  ...more,
});
const policy = (...rules: PolicyRule[]): PolicyDocument => ({ name: 'Default', rules, default: 'allow' });

const FREE = rule('free', free);
const PAYING = rule('free-enterprise', { all: [free, enterprise] });
const TRIAL = { id: 'trial', weight: 40, min_sample: 200 } as const;

it.each<[what: string, saved: PolicyDocument, draft: PolicyDocument, found: string[]]>([
  ['a rule that moved behind a wider one', policy(PAYING, FREE), policy(FREE, PAYING), ['free-enterprise by free']],
  ['a new rule behind a wider one', policy(FREE), policy(FREE, PAYING), ['free-enterprise by free']],
  ['none that the saved version shadows too', policy(FREE, PAYING), policy(FREE, PAYING), []],
  ['none behind a narrower rule', policy(FREE), policy(PAYING, FREE), []],
  ['none behind one of another kind', policy(PAYING), policy(rule('plan', enterprise), FREE), []],
  ['none behind an experiment', policy(PAYING), policy({ ...FREE, experiment: TRIAL }, PAYING), []],
  ['no experiment, which has a warning of its own', policy(FREE), policy(FREE, { ...PAYING, experiment: TRIAL }), []],
])('finds %s', (_what, saved, draft, found) => {
  expect(newlyShadowed(saved, draft).map(({ rule: { id }, by }) => `${id} by ${by.id}`)).toEqual(found);
});
