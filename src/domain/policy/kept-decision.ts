import type { DecisionResult } from '../../contract/decision.ts';
import type { FlatProperties } from '../../contract/properties.ts';
import type { StoredPolicyDecision } from '../../contract/traces.ts';
import type { Judgement } from './judge.ts';

/** A decision as its trace keeps it: of a company and a person what the contract lets a trace keep; what nobody asked for is absent. */
export function keptDecision(
  policy: StoredPolicyDecision['policy'],
  { verdict, icp, asked: { company, person } }: Pick<Judgement, 'verdict' | 'icp' | 'asked'>,
  attributes: FlatProperties,
): StoredPolicyDecision {
  return {
    ...{ decision: verdict.decision, rule_id: verdict.ruleId, policy, experiment: verdict.experiment },
    ...{ icp: { fit: icp }, attributes },
    ...(company === undefined ? {} : { company: company && keptOf(company) }),
    ...(person === undefined ? {} : { person }),
  };
}

const keptOf = ({ industry, employees_range, country }: NonNullable<DecisionResult['company']>) => ({
  industry,
  employees_range,
  country,
});
