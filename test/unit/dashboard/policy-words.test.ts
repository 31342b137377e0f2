import { describe, expect, it } from 'vitest';
import { conditionText, policyText } from '../../../dashboard/app/screens/policy/words.ts';
import type { Decision, Op, PolicyDocument } from '../../../dashboard/app/api/schema.ts';

const NONE: PolicyDocument = { name: 'P', rules: [], default: 'allow', icp: null };

describe('a policy in words', () => {
  it.each<[Op, unknown, string]>([
    ['eq', 'free', 'email type is “Free”'],
    ['not_in', ['free', 'role'], 'email type is none of “Free”, “Role”'],
    ['exists', false, 'email type is missing'],
    ['sounds_like' as Op, 'free', 'email type sounds_like “Free”'],
  ])('says %s with its value', (op, value, text) => {
    expect(conditionText({ path: 'verification.email_type', op, value })).toBe(text);
  });

  it.each<[Decision[], string]>([
    [[], 'The policy has no rules. Everyone else is let in.'],
    [['deny'], '1 rule: 1 by which people are turned away. Everyone else is let in.'],
    [
      ['review', 'deny', 'deny'],
      '3 rules, the first that matches decides: 2 by which people are turned away, 1 by which people are held for review. Everyone else is let in.',
    ],
  ])('counts its rules by what they do: %j', (decisions, text) => {
    const rules = decisions.map((decision, at) => ({
      id: `r-${at}`,
      when: { path: 'verification.verdict', op: 'eq', value: 'invalid' } as const,
      decision,
    }));
    expect(policyText({ ...NONE, rules })).toBe(text);
  });
});
