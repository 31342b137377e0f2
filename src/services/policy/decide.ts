import type { DecideRequest, DecisionResult } from '../../contract/decision.ts';
import type { Verification, VerificationContext } from '../../contract/verification.ts';
import { usd } from '../../domain/metering/usage.ts';
import type { CompiledPolicy } from '../../domain/policy/compile.ts';
import { DEFAULT_SLUG } from '../../domain/policy/default-policy.ts';
import { explain } from '../../domain/policy/evaluate.ts';
import { type TraceRecord, traceJson } from '../../domain/traces/record.ts';
import { type Id, siblingId } from '../../kernel/ids.ts';
import type { PolicyIdentity, PolicyInForce } from '../../organisation/api.ts';
import type { Operation } from '../operation.ts';
import { examine, type VerifyDeps } from '../verification/assess.ts';
import { billedMicros } from '../verification/query-providers.ts';
import { traceRecord } from '../verification/trace-record.ts';
import { type JudgeDeps, type Judgement, judge } from './apply-policy.ts';
import { keptDecision } from './kept-decision.ts';
import { restoreAnswer, storedAnswer } from './stored-answer.ts';

/** A policy as it decides, by the name and version that an answer shows. */
export interface DecidingPolicy extends PolicyIdentity {
  readonly slug: string;
  readonly policy: CompiledPolicy;
}

export interface DecideDeps extends VerifyDeps, JudgeDeps {
  /** The newest version met so far of the account's policy of that name. */
  knownPolicy(organisationId: Id<'org'>, slug: string): DecidingPolicy | null;
  /**
   * The account's policy of that name, in that version, of which `sent` came along; `version` null: the account is out of
   * reach, and the last one known or the one that organisations begin with has to do. Throws a refusal.
   */
  findPolicy(
    organisationId: Id<'org'>,
    slug: string,
    version: number | null,
    sent?: PolicyInForce['sent'],
  ): Promise<DecidingPolicy>;
}

/** One address, verified, and one decision about it by the account's policy. Throws refusals only. */
export async function decide(deps: DecideDeps, op: Operation, request: DecideRequest): Promise<DecisionResult> {
  const slug = request.policy_slug ?? DEFAULT_SLUG;
  const context: VerificationContext = { ...request.context, purpose: request.context?.purpose ?? 'signup' };
  const examination = await examine(
    deps,
    {
      ...op,
      admit: (probe, wish) =>
        op.admit(probe, {
          ...wish,
          ...{ policySlug: slug, policyKnown: identityOf(deps.knownPolicy(op.organisationId, slug)) },
        }),
    },
    { email: request.email, context },
  );
  if (examination.kind === 'repeated') return restoreAnswer(deps, examination.answer, request);
  const { findings, ceilings } = examination;
  const { admission } = findings.facts;
  const inForce = admission.reached ? admission.policy : null;
  const found = await deps.findPolicy(op.organisationId, slug, inForce?.version ?? null, inForce?.sent);

  const id = op.traceId as Id<'dc'>;
  const verification = { ...examination.answer, trace_id: siblingId('vr', id) };
  const judgement = await judge(deps, op, found.policy, {
    ...{ email: request.email, name: request.name || null, attributes: request.attributes ?? {} },
    ...{ context, verification, findings, ceilings },
  });
  const modelMicros = judgement.labelled?.costMicros ?? 0;
  const enrichmentMicros = judgement.enrichment.costMicros;
  const costMicros = findings.consultation.spendMicros + modelMicros + enrichmentMicros;
  const answer: DecisionResult = {
    ...shown(found, judgement, verification),
    ...(request.explain === true ? { explanation: explain(found.policy, judgement.facts, judgement.verdict) } : {}),
    cost_usd: usd(costMicros),
    latency_ms: Math.max(0, deps.now() - op.startedAt),
    trace_id: id,
  };
  const record: TraceRecord = {
    ...traceRecord(op, findings, verification, context),
    ...{ id, verificationId: siblingId('vr', id), kind: 'decide' },
    costMicros,
    latencyMs: answer.latency_ms,
    policyDecision: keptDecision(answer.policy, judgement, request.attributes ?? {}),
  };
  const settled = await op.settle({
    trace: { kind: 'trace', id, record: traceJson(record), addressHash: record.addressHash },
    ...{ spendMicros: billedMicros(findings.consultation) + modelMicros, enrichmentMicros },
    answer: storedAnswer(answer, judgement.labelled?.suggestedDomain ?? null),
  });
  return settled === null ? answer : restoreAnswer(deps, settled, request);
}

/** Without what can't go over the wire. */
const identityOf = (known: DecidingPolicy | null): PolicyIdentity | null =>
  known && { version: known.version, createdAt: known.createdAt };

const shown = (
  { slug, version }: DecidingPolicy,
  { verdict, asked, icp, enrichment }: Judgement,
  verification: Verification,
) => ({
  decision: verdict.decision,
  rule_id: verdict.ruleId,
  reason: verdict.reason,
  flow: verdict.flow,
  policy: { slug, version },
  experiment: verdict.experiment,
  verification,
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
});
