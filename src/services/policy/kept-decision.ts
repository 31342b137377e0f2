import type { DecisionResult } from '../../contract/decision.ts';
import type { FlatProperties } from '../../contract/properties.ts';
import type { StoredPolicyDecision } from '../../contract/traces.ts';
import { usd } from '../../domain/metering/usage.ts';
import type { PolicyResult } from './apply-policy.ts';
import type { EnrichmentReport } from './enrich.ts';

/**
 * A decision as its trace keeps it. Of a company and a person it has what the contract allows; values that no rule asked for
 * are absent.
 */
export function keptDecision(
  policy: StoredPolicyDecision['policy'],
  {
    ruleDecision,
    icp,
    asked: { company, person },
    enrichment,
  }: Pick<PolicyResult, 'ruleDecision' | 'icp' | 'asked' | 'enrichment'>,
  attributes: FlatProperties,
): StoredPolicyDecision {
  return {
    decision: ruleDecision.decision,
    rule_id: ruleDecision.ruleId,
    policy,
    experiment: ruleDecision.experiment,
    icp: { fit: icp },
    attributes,
    ...(company === undefined ? {} : { company: company && keptOf(company) }),
    ...(person === undefined ? {} : { person }),
    enrichment: [...enrichment.calls.map(keptCall), ...enrichment.notAsked.map(keptReason)],
  };
}

const keptCall = ({ source, result, ms, costMicros }: EnrichmentReport['calls'][number]) => ({
  source,
  outcome: result,
  ms,
  cost_usd: usd(costMicros),
});

const keptReason = ({ source, why }: EnrichmentReport['notAsked'][number]) => ({
  source,
  outcome: why,
  ms: null,
  cost_usd: 0,
});

const keptOf = ({ industry, employees_range, country }: NonNullable<DecisionResult['company']>) => ({
  industry,
  employees_range,
  country,
});
