import { describe, expect, it } from 'vitest';
import type { Policy, StoredPolicyDecision, Trace } from '../../../dashboard/app/api/schema.ts';
import { findingsOfTrace } from '../../../dashboard/app/screens/log/rule-findings.ts';
import { findingsOfAnswer } from '../../../dashboard/app/screens/try/rule-findings.ts';

const when = (path: string, value: string) => ({ path, op: 'eq' as const, value });
const policy = {
  rules: [
    { id: 'role', when: when('verification.email_type', 'role'), decision: 'deny' },
    {
      id: 'trial',
      when: { all: [when('attributes.plan', 'team'), { not: when('company.country', 'DE') }] },
      decision: 'review',
      experiment: { id: 'trial', weight: 50, min_sample: 100 },
    },
    { id: 'free', when: when('verification.email_type', 'free'), decision: 'challenge' },
    { id: 'last', when: when('screening.name_match', 'match'), decision: 'allow' },
  ],
} as unknown as Policy;
const trace = { email_type: 'free' } as Trace;
const decision = (rule: string, experiment: StoredPolicyDecision['experiment'] = null) =>
  ({ rule_id: rule, experiment, attributes: { plan: 'team' }, company: null }) as unknown as StoredPolicyDecision;

describe('rule by rule', () => {
  it.each([
    ['free', null, ['passed', 'passed', 'decided', 'unreached']],
    ['free', { id: 'trial', arm: 'control' }, ['passed', 'control', 'decided', 'unreached']],
    ['free', { id: 'other', arm: 'control' }, ['passed', 'passed', 'decided', 'unreached']],
    ['trial', { id: 'trial', arm: 'treatment' }, ['passed', 'decided', 'unreached', 'unreached']],
    ['default', null, ['passed', 'passed', 'passed', 'passed']],
  ] as const)('a trace that %s decided, in %j, says %j', (rule, experiment, verdicts) => {
    expect(findingsOfTrace(policy, trace, decision(rule, experiment)).map(({ verdict }) => verdict)).toEqual(verdicts);
  });

  it('shows what each path read, null where it was missing, and leaves out what the trace does not keep', () => {
    expect(findingsOfTrace(policy, trace, decision('default')).map(({ found }) => found)).toEqual([
      [{ path: 'verification.email_type', value: 'free' }],
      [
        { path: 'attributes.plan', value: 'team' },
        { path: 'company.country', value: null },
      ],
      [{ path: 'verification.email_type', value: 'free' }],
      [],
    ]);
  });

  it('takes an answer’s own explanation, without the values that were not asked for', () => {
    const line = (id: string, matched: boolean, known: boolean) => ({
      rule_id: id,
      matched,
      conditions: [
        {
          path: 'verification.email_type',
          op: 'eq' as const,
          value: 'x',
          actual: 'free',
          matched: known ? matched : null,
        },
      ],
    });
    const explanation = [line('role', false, true), line('trial', true, false), line('free', true, true)];
    const found = [{ path: 'verification.email_type', value: 'free' }];
    expect(findingsOfAnswer(policy, explanation, 'free')).toEqual([
      { verdict: 'passed', found },
      { verdict: 'control', found: [] },
      { verdict: 'decided', found },
      { verdict: 'unreached', found: [] },
    ]);
  });
});
