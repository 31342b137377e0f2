import { describe, expect, it } from 'vitest';
import type { PolicyDocument, PolicyRule } from '../app/api/schema.ts';
import { changesOf } from '../app/screens/policy/changes.ts';

const rule = (id: string, change: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  when: { path: 'verification.email_type', op: 'eq', value: id },
  decision: 'review',
  ...change,
});
const limit = (value: number) => rule('limit', { when: { path: 'verification.bounce_probability', op: 'gte', value } });
const SOONER = { experiment: { id: 'sooner', weight: 20, min_sample: 400 } };
const policy = (...rules: PolicyRule[]): PolicyDocument => ({ name: 'Default', rules, default: 'allow', icp: null });

describe('what changed between two versions', () => {
  it.each([
    ['nothing', policy(rule('free')), policy(rule('free')), []],
    [
      'a rule that came and one that went',
      policy(rule('free')),
      policy(rule('role')),
      [
        'Rule free removed: email type is “Free”.',
        'Rule role added at position 1 of 1: when email type is “Role”, Review.',
      ],
    ],
    [
      'the one rule that moved',
      policy(rule('free'), rule('role'), rule('relay')),
      policy(rule('relay'), rule('free'), rule('role')),
      ['Rule relay moves before free.'],
    ],
    [
      'one that moved where another was removed',
      policy(rule('x'), rule('free'), rule('role')),
      policy(rule('role'), rule('free')),
      ['Rule x removed: email type is “x”.', 'Rule free moves after role.'],
    ],
    [
      'nothing of the order of keys, and of null for what is missing',
      policy(rule('free')),
      policy({
        decision: 'review',
        when: { value: 'free', op: 'eq', path: 'verification.email_type' },
        id: 'free',
        experiment: null,
      } as unknown as PolicyRule),
      [],
    ],
    [
      'a number that limits nothing',
      policy(rule('age', { when: { path: 'attributes.age', op: 'ne', value: 5 } })),
      policy(rule('age', { when: { path: 'attributes.age', op: 'ne', value: 6 } })),
      ['Rule age: the condition changes from “attribute age is not 5” to “attribute age is not 6”.'],
    ],
    [
      'a limit',
      policy(limit(0.15)),
      policy(limit(0.2)),
      ['Rule limit: the limit on bounce risk goes from 15% to 20%.'],
    ],
    [
      'a condition and a decision',
      policy(rule('free')),
      policy(rule('free', { when: rule('role').when, decision: 'deny' })),
      [
        'Rule free: the condition changes from “email type is “Free”” to “email type is “Role””.',
        'Rule free: the decision changes from Review to Deny.',
      ],
    ],
    [
      'countries in capitals',
      policy(),
      policy(rule('here', { when: { path: 'company.country', op: 'in', value: ['nz', 'AU'] } })),
      ['Rule here added at position 1 of 1: when company country is one of “NZ”, “AU”, Review.'],
    ],
    [
      'an experiment',
      policy(rule('free')),
      policy(rule('free', { experiment: { id: 'sooner', weight: 20, min_sample: 400 } })),
      ['Rule free: now applies to 20% (experiment sooner).'],
    ],
    [
      'an experiment with its rule, one that goes, one that ends and one that is another',
      policy(rule('free', SOONER), rule('role', SOONER), rule('relay', SOONER)),
      policy(
        rule('role'),
        rule('relay', { experiment: { id: 'later', weight: 50, min_sample: 400 } }),
        rule('new', SOONER),
      ),
      [
        'Rule free removed: email type is “Free”, for 20% (experiment sooner).',
        'Rule role: experiment sooner ends, the rule applies to all.',
        'Rule relay: now applies to 50% (experiment later), was 20% (experiment sooner).',
        'Rule new added at position 3 of 3: when email type is “new”, Review, for 20% (experiment sooner).',
      ],
    ],
    [
      'the default',
      policy(),
      { ...policy(), default: 'review' as const },
      ['The decision for everyone else changes from Allow to Review.'],
    ],
  ])('says %s', (_title, before, after, sentences) => {
    expect(changesOf(before, after)).toEqual(sentences);
  });
});
