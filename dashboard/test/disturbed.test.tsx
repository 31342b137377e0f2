import { describe, expect, it } from 'vitest';
import type { PolicyCondition, PolicyDocument, PolicyRule } from '../app/api/schema.ts';
import { disturbances } from '../app/screens/policy/disturbed.ts';
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
  disturbances(saved, draft).map(
    (each) => `${each.experimentId} ${each.kind}${'by' in each ? ` by ${each.by.id}` : ''}`,
  );

describe('what a draft does to a running experiment', () => {
  it('is what a switch moves in front of it', () => {
    const saved = policy(TRIAL, rule('free', 'free', 'allow'));
    expect(found(saved, withKind(saved, 'free', 'deny'))).toEqual(['sooner empties by free']);
  });

  it('is nothing where both never meet, where the order stays, and where only the decision changes', () => {
    const role = rule('role', 'role', 'allow');
    expect(found(policy(TRIAL, role), policy(role, TRIAL))).toEqual([]);
    const free = rule('free', 'free', 'challenge');
    expect(found(policy(free, TRIAL), policy({ ...free, decision: 'deny' }, TRIAL))).toEqual([]);
  });

  it('is what a rule in front of it takes more than before', () => {
    const saved = policy(rule('first', 'role', 'deny'), TRIAL);
    const draft = policy(rule('first', 'free', 'deny'), TRIAL);
    expect(found(saved, draft)).toEqual(['sooner empties by first']);
  });

  it('is its end, where its rule is removed, tries nothing or has another name for it', () => {
    const free = rule('free', 'free', 'challenge');
    expect(found(policy(TRIAL, free), policy(free))).toEqual(['sooner ends']);
    const { experiment: _, ...plain } = TRIAL;
    expect(found(policy(TRIAL, free), policy(plain, free))).toEqual(['sooner ends']);
    const renamed = { ...TRIAL, experiment: { id: 'later', weight: 50, min_sample: 400 } };
    expect(found(policy(TRIAL, free), policy(renamed, free))).toEqual(['sooner ends']);
  });

  it('is other terms, where its own rule changes', () => {
    const wider = { ...TRIAL, experiment: { id: 'sooner', weight: 80, min_sample: 400 } };
    expect(found(policy(TRIAL), policy(wider))).toEqual(['sooner changes']);
    const longer = { ...TRIAL, experiment: { id: 'sooner', weight: 50, min_sample: 900 } };
    expect(found(policy(TRIAL), policy(longer))).toEqual([]);
  });

  it('is more addresses, where a rule before it is removed', () => {
    expect(found(policy(rule('free', 'free', 'deny'), TRIAL), policy(TRIAL))).toEqual(['sooner gains by free']);
  });

  const number = (op: 'gte' | 'lt', value: number): PolicyCondition => ({
    path: 'verification.bounce_probability',
    op,
    value,
  });
  const kind = (op: 'eq' | 'ne' | 'not_in', value: string | string[]): PolicyCondition => ({
    path: 'verification.email_type',
    op,
    value,
  });
  const guarded: PolicyCondition = {
    all: [kind('eq', 'disposable'), { not: { path: 'verification.reason', op: 'in', value: ['no_mx'] } }],
  };
  const unknownOperator = { path: 'verification.email_type', op: 'like', value: 'f*' } as unknown as PolicyCondition;
  const trial = (when: PolicyCondition): PolicyRule => ({ ...TRIAL, when });
  const first = (when: PolicyCondition, id = 'first'): PolicyRule => ({ id, when, decision: 'deny' });

  it.each<[string, PolicyCondition | null, PolicyCondition, PolicyCondition]>([
    ['number ranges are disjoint', null, number('gte', 0.9), number('lt', 0.2)],
    ['a word is left out', null, kind('ne', 'Free'), kind('eq', 'free')],
    ['a rule before it has all of them but what is blocked', guarded, kind('eq', 'disposable'), number('gte', 0.5)],
    [
      'a rule before it has all of them that it could get',
      { all: [kind('eq', 'role'), number('gte', 0.5)] },
      kind('eq', 'role'),
      number('gte', 0.5),
    ],
    ['several words are left out', null, kind('not_in', ['free', 'role']), kind('eq', 'free')],
  ])('is nothing where %s', (_title, before, after, own) => {
    const earlier = before === null ? [] : [first(before, 'before')];
    expect(found(policy(...earlier, trial(own)), policy(first(after), ...earlier, trial(own)))).toEqual([]);
  });

  it.each<[string, PolicyCondition | null, PolicyCondition, PolicyCondition, string]>([
    ['a rule before it is widened', number('gte', 0.5), number('gte', 0.1), kind('eq', 'free'), 'loses'],
    ['number ranges overlap', null, number('gte', 0.1), number('lt', 0.2), 'loses'],
    ['words differ by their case only', null, kind('eq', 'FREE'), kind('eq', 'free'), 'empties'],
    ['a rule before it is narrowed', number('gte', 0.1), number('gte', 0.5), kind('eq', 'free'), 'gains'],
    [
      'a rule before it has one condition more',
      kind('eq', 'free'),
      { all: [kind('eq', 'free'), number('gte', 0.5)] },
      kind('eq', 'free'),
      'gains',
    ],
    [
      'a path is not known',
      null,
      { path: 'verification.emial_type', op: 'eq', value: 'free' },
      kind('eq', 'free'),
      'loses',
    ],
    ['an operator is not known', null, unknownOperator, kind('eq', 'free'), 'loses'],
    [
      'a rule before it has a group with a member that is not known',
      { all: [kind('eq', 'free')], unless: 'b' } as PolicyCondition,
      kind('eq', 'free'),
      kind('eq', 'free'),
      'empties',
    ],
  ])('is something where %s', (_title, before, after, own, what) => {
    const saved = policy(...(before === null ? [] : [first(before)]), trial(own));
    expect(found(saved, policy(first(after), trial(own)))).toEqual([`sooner ${what} by first`]);
  });

  it('is nothing where a rule before it has another id, or an experiment with other terms', () => {
    const saved = policy({ ...rule('a', 'free', 'deny'), experiment: { id: 'x', weight: 20, min_sample: 400 } }, TRIAL);
    const draft = policy({ ...rule('b', 'free', 'deny'), experiment: { id: 'x', weight: 20, min_sample: 9 } }, TRIAL);
    expect(found(saved, draft)).toEqual([]);
  });
});
