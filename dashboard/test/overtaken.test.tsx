import { describe, expect, it } from 'vitest';
import type { PolicyDocument, PolicyRule } from '../app/api/schema.ts';
import { overtaken } from '../app/screens/policy/overtaken.ts';
import { withKind } from '../app/screens/policy/switches.ts';

const rule = (
  id: string,
  value: string,
  decision: PolicyRule['decision'],
  rest: Partial<PolicyRule> = {},
): PolicyRule => ({
  id,
  when: { path: 'verification.email_type', op: 'eq', value },
  decision,
  ...rest,
});
const TRIAL = rule('free-review', 'free', 'review', { experiment: { id: 'sooner', weight: 50, min_sample: 400 } });
const policy = (...rules: PolicyRule[]): PolicyDocument => ({ name: 'Default', rules, default: 'allow', icp: null });
const found = (saved: PolicyDocument, draft: PolicyDocument) =>
  overtaken(saved, draft).map(({ experimentId, by }) => `${by.id} before ${experimentId}`);

describe('what a draft takes from a running experiment', () => {
  it('is what a switch moves in front of it', () => {
    const saved = policy(TRIAL, rule('free', 'free', 'allow'));
    expect(found(saved, withKind(saved, 'free', 'deny'))).toEqual(['free before sooner']);
  });

  it('is nothing where both never meet, where the order stays, and where only the decision changes', () => {
    const role = rule('role', 'role', 'allow');
    expect(found(policy(TRIAL, role), policy(role, TRIAL))).toEqual([]);
    const free = rule('free', 'free', 'challenge');
    expect(found(policy(free, TRIAL), policy({ ...free, decision: 'deny' }, TRIAL))).toEqual([]);
    expect(found(policy(TRIAL, free), policy(free))).toEqual([]);
  });

  it('is what a rule in front of it takes more than before', () => {
    const saved = policy(rule('first', 'role', 'deny'), TRIAL);
    expect(found(saved, policy(rule('first', 'free', 'deny'), TRIAL))).toEqual(['first before sooner']);
  });
});
