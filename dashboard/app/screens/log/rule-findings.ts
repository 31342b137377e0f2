import type { Policy, PolicyCondition, StoredPolicyDecision, Trace } from '../../api/schema.ts';
import type { RuleFinding, RuleVerdict } from '../policy/rule-finding.ts';
import { isComparison } from '../policy/switches.ts';

function pathsOf(when: PolicyCondition): readonly string[] {
  if (isComparison(when)) return [when.path];
  const { all, any, not } = when as { all?: PolicyCondition[]; any?: PolicyCondition[]; not?: PolicyCondition };
  return [...(all ?? any ?? []), ...(not === undefined ? [] : [not])].flatMap(pathsOf);
}

/** The value of a path in the trace; undefined if the trace does not keep it. */
function valueAt(trace: Trace, decision: StoredPolicyDecision, path: string): unknown {
  const { company, person, icp, attributes } = decision;
  const known: Readonly<Record<string, unknown>> = {
    verification: {
      email_type: trace.email_type ?? undefined,
      recommendation: trace.recommendation,
      bounce_probability: trace.bounce_probability,
      verdict: trace.verdict,
      reason: trace.reason,
      reasons: trace.reasons ?? undefined,
      esp: trace.esp,
      degraded: trace.degraded,
      disagreement: trace.disagreement ?? undefined,
      calibration: trace.calibration ?? undefined,
      signals: trace.signals ?? undefined,
      cost_usd: trace.cost_usd,
      latency_ms: trace.latency_ms,
      did_you_mean: trace.did_you_mean,
    },
    company,
    person,
    icp,
    attributes: attributes ?? undefined,
    context: trace.context ?? undefined,
  };
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        value === undefined || value === null ? value : (Object(value) as Record<string, unknown>)[name],
      known,
    );
}

/**
 * What each rule of the policy found, told from the trace: the first that matches decides, so that those before it did not match,
 * or belong to an experiment that left the address alone.
 */
export function findingsOfTrace(
  { rules }: Policy,
  trace: Trace,
  decision: StoredPolicyDecision,
): readonly RuleFinding[] {
  const { rule_id: decided, experiment } = decision;
  const at = rules.findIndex(({ id }) => id === decided);
  const end = at === -1 ? rules.length : at;
  const verdictAt = (place: number, experimentId: string | undefined): RuleVerdict => {
    if (place === end) return 'decided';
    if (place > end) return 'unreached';
    return experiment?.arm === 'control' && experimentId === experiment.id ? 'control' : 'passed';
  };
  return rules.map((rule, place) => ({
    verdict: verdictAt(place, rule.experiment?.id),
    found: [...new Set(pathsOf(rule.when))]
      .map((path) => ({ path, value: valueAt(trace, decision, path) }))
      .filter(({ value }) => value !== undefined),
  }));
}
