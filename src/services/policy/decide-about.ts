import type { Concluded } from '../../domain/answer/assess.ts';
import { sentTo } from '../../domain/answer/trace-of.ts';
import { enrichmentId } from '../../domain/privacy/subprocessors.ts';
import { billedMicros } from '../../domain/router/provider-queries.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import {
  type ApplyPolicyDeps,
  type ApplyPolicyRequest,
  applyPolicy,
  type Case,
  type PolicyResult,
} from './apply-policy.ts';
import type { DecidingPolicy } from './deciding-policy.ts';
import { keptDecision } from './kept-decision.ts';

export interface Decided {
  readonly result: PolicyResult;
  /** The verification's, with what the decision adds to it. */
  readonly record: TraceRecord;
  readonly enrichmentMicros: number;
  /** The most that providers and model may bill. Enrichment has a budget of its own. */
  readonly billedMicros: number;
}

/** Decides about a judged address by a policy. The caller commits. Never rejects. */
export async function decideAbout(
  deps: ApplyPolicyDeps,
  request: ApplyPolicyRequest,
  concluded: Concluded,
  { slug, version, policy }: DecidingPolicy,
  about: Omit<Case, 'concluded'>,
): Promise<Decided> {
  const { queries, record: verified } = concluded;
  const result = await applyPolicy(deps, request, policy, { ...about, concluded });
  const modelMicros = result.labelled?.costMicros ?? 0;
  const enrichmentMicros = result.enrichment.costMicros;
  // A company is asked for by its domain alone.
  const asked = result.enrichment.calls.filter(({ wants }) => wants !== 'company');
  return {
    result,
    record: {
      ...verified,
      sentTo: sentTo(
        [...verified.sentTo.split(' '), ...asked.map(({ source }) => enrichmentId(source))].filter((id) => id !== ''),
      ),
      costMicros: queries.spendMicros + modelMicros + enrichmentMicros,
      policyDecision: keptDecision({ slug, version }, result, about.attributes),
    },
    enrichmentMicros,
    billedMicros: billedMicros(queries) + modelMicros,
  };
}
