import type { DecisionResult } from '../../contract/decision.ts';
import type { FlatProperties } from '../../contract/properties.ts';
import type { StoredPolicyDecision } from '../../contract/traces.ts';
import type { VerificationContext } from '../../contract/verification.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Concluded, keptOf } from '../answer/assess.ts';
import { sentTo } from '../answer/trace-of.ts';
import { usd } from '../metering/usage.ts';
import type { Labelled } from '../screening/record.ts';
import { addressed, correctionOf } from '../screening/typed-address.ts';
import type { TraceRecord } from '../traces/traces.ts';
import { type CompiledPolicy, compilePolicy } from './compile.ts';
import type { ParsedPolicy, PolicyVersion } from './document.ts';
import { enrichmentId, type EnrichmentReport, NO_ENRICHMENT } from './enrichment.ts';
import { armOf, explain, type Resolution, resolve } from './evaluate.ts';

/** A compiled policy, with the name and version in answers. */
export interface DecidingPolicy {
  readonly slug: string;
  readonly version: number;
  readonly createdAt: number;
  readonly policy: CompiledPolicy;
}

export const compiled = ({ slug, version, createdAt, document }: Omit<PolicyVersion, 'createdBy'>): DecidingPolicy => ({
  slug,
  version,
  createdAt,
  policy: compilePolicy(JSON.parse(document) as ParsedPolicy),
});

/** A decision's request, beside the observation of its address. */
export interface DecisionRequest {
  readonly id: Id<'dc'>;
  readonly slug: string;
  readonly email: string;
  readonly attributes: FlatProperties;
  readonly isExplained: boolean;
}

/** A policy's decision, and what was asked for it. */
export interface PolicyResult extends Resolution {
  /** Null means no rule needed it. */
  readonly labelled: Labelled | null;
  readonly enrichment: EnrichmentReport;
}

/** A decision as stored for a repeat, which brings the address again: neither it nor a correction is stored. */
export interface KeptDecision {
  readonly answer: DecisionResult;
  readonly suggestedDomain: string | null;
  /** The domain of `did_you_mean`. */
  readonly meantDomain: string | null;
}

/** A finished decision: its answer and its trace. */
export interface ConcludedDecision {
  readonly kept: KeptDecision;
  readonly record: TraceRecord;
}

/** Decides by the verification alone. Null means a rule depends on something that must be asked for. */
export function decideUnasked(
  by: DecidingPolicy,
  concluded: Concluded,
  { email, attributes }: Pick<DecisionRequest, 'email' | 'attributes'>,
  context: VerificationContext,
): PolicyResult | null {
  const verification = addressed(email, keptOf(concluded));
  const assign = (experiment: { readonly id: string; readonly weight: number }) =>
    armOf(experiment, concluded.facts.addressHash);
  const resolved = resolve(by.policy, { verification, attributes, context }, {}, assign);
  return resolved.kind === 'undecided' ? null : { ...resolved, labelled: null, enrichment: NO_ENRICHMENT };
}

/** The answer and trace of a decision. `now`: when all answers have come. */
export function concludeDecision(
  by: DecidingPolicy,
  result: PolicyResult,
  concluded: Concluded,
  { id, email, attributes, isExplained }: DecisionRequest,
  { startedAt, now }: { readonly startedAt: number; readonly now: number },
): ConcludedDecision {
  const { ruleDecision, asked, icp, enrichment, labelled, facts } = result;
  const record = decisionRecord(by, result, concluded, attributes);
  const latencyMs = Math.max(0, now - startedAt);
  const { slug, version } = by;
  const answer: DecisionResult = {
    decision: ruleDecision.decision,
    rule_id: ruleDecision.ruleId,
    reason: ruleDecision.reason,
    flow: ruleDecision.flow,
    policy: { slug, version },
    experiment: ruleDecision.experiment,
    verification: addressed(email, keptOf(concluded)),
    ...(asked.screening ? { screening: asked.screening } : {}),
    company: asked.company ?? null,
    person: asked.person ?? null,
    icp: { fit: icp },
    enrichment: {
      asked: enrichment.calls.length > 0,
      cost_usd: usd(enrichment.costMicros),
      degraded: enrichment.degraded,
      ...(enrichment.limitedBy.length > 0 ? { limited_by: [...enrichment.limitedBy] } : {}),
    },
    ...(isExplained ? { explanation: explain(by.policy, facts, ruleDecision) } : {}),
    cost_usd: usd(record.costMicros),
    latency_ms: latencyMs,
    trace_id: id,
  };
  return {
    kept: {
      answer: withAddress(answer, { [EMAIL]: '', [MEANT]: null, [SUGGESTION]: '' }),
      suggestedDomain: labelled?.suggestedDomain ?? null,
      meantDomain: concluded.facts.meantDomain,
    },
    record: { ...record, id, verificationId: concluded.record.id as Id<'vr'>, kind: 'decide', latencyMs },
  };
}

export function decisionRecord(
  { slug, version }: Pick<DecidingPolicy, 'slug' | 'version'>,
  result: PolicyResult,
  { record, queries }: Pick<Concluded, 'record' | 'queries'>,
  attributes: FlatProperties,
): TraceRecord {
  const { enrichment, labelled } = result;
  // A company is asked for by its domain alone.
  const asked = enrichment.calls.filter(({ wants }) => wants !== 'company');
  return {
    ...record,
    sentTo: sentTo(
      [...record.sentTo.split(' '), ...asked.map(({ source }) => enrichmentId(source))].filter((id) => id !== ''),
    ),
    costMicros: queries.spendMicros + (labelled?.costMicros ?? 0) + enrichment.costMicros,
    policyDecision: tracedDecision({ slug, version }, result, attributes),
  };
}

/** A decision as its trace stores it: of company and person only what the contract allows and a rule asked for. */
const tracedDecision = (
  policy: StoredPolicyDecision['policy'],
  { ruleDecision, icp, asked: { company, person }, enrichment }: PolicyResult,
  attributes: FlatProperties,
): StoredPolicyDecision => ({
  decision: ruleDecision.decision,
  rule_id: ruleDecision.ruleId,
  policy,
  experiment: ruleDecision.experiment,
  icp: { fit: icp },
  attributes,
  ...(company === undefined ? {} : { company: company && tracedCompany(company) }),
  ...(person === undefined ? {} : { person }),
  enrichment: [
    ...enrichment.calls.map(({ source, result, ms, costMicros }) => ({
      source,
      outcome: result,
      ms,
      cost_usd: usd(costMicros),
    })),
    ...enrichment.notAsked.map(({ source, why }) => ({ source, outcome: why, ms: null, cost_usd: 0 })),
  ],
});

const tracedCompany = ({ industry, employees_range, country }: NonNullable<DecisionResult['company']>) => ({
  industry,
  employees_range,
  country,
});

/** Paths whose values contain the address. */
const EMAIL = 'verification.email';
const MEANT = 'verification.did_you_mean';
const SUGGESTION = 'screening.typo_suggestion';

/** The stored answer with the address that came with the request. `suggestion`: of `typo_suggestion`. */
export const answerAgain = (
  { answer, meantDomain }: KeptDecision,
  email: string,
  suggestion: string | null,
): DecisionResult =>
  withAddress(answer, { [EMAIL]: email, [MEANT]: correctionOf(email, meantDomain), [SUGGESTION]: suggestion });

/** Replaces the address and its corrections throughout the answer. */
function withAddress(
  answer: DecisionResult,
  values: Readonly<Record<typeof EMAIL, string> & Record<typeof MEANT | typeof SUGGESTION, string | null>>,
): DecisionResult {
  const { verification, screening, explanation } = answer;
  const { did_you_mean: _, ...verified } = verification;
  return {
    ...answer,
    verification: {
      ...verified,
      email: values[EMAIL],
      ...(values[MEANT] === null ? {} : { did_you_mean: values[MEANT] }),
    },
    ...(screening === undefined
      ? {}
      : {
          screening: { ...screening, typo_suggestion: screening.typo_suggestion === null ? null : values[SUGGESTION] },
        }),
    ...(explanation === undefined
      ? {}
      : {
          explanation: explanation.map((rule) => ({
            ...rule,
            conditions: rule.conditions.map((condition) => {
              const { path, actual } = condition;
              // The only one of the three that is never "not asked for", so it is not stored.
              if (path === MEANT) return { ...condition, actual: values[path] };
              return actual !== null && (path === EMAIL || path === SUGGESTION)
                ? { ...condition, actual: values[path] }
                : condition;
            }),
          })),
        }),
  };
}
