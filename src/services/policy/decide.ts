import type { DecisionResult } from '../../contract/decision.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { Verification, VerificationContext } from '../../contract/verification.ts';
import { usd } from '../../domain/metering/usage.ts';
import { DEFAULT_SLUG } from '../../domain/policy/default-policy.ts';
import { explain } from '../../domain/policy/evaluate.ts';
import { type TraceRecord, traceJson } from '../../domain/traces/record.ts';
import { type Id, siblingId } from '../../kernel/ids.ts';
import type { PolicyIdentity } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { assess, ceilingsOf } from '../verification/assess.ts';
import { gather } from '../verification/gather.ts';
import { rulesProbe, subjectOf } from '../verification/local-facts.ts';
import { billedMicros } from '../verification/query-providers.ts';
import { traceRecord } from '../verification/trace-record.ts';
import { applyPolicy, type PolicyResult } from './apply-policy.ts';
import type { DecidingPolicy } from './deciding-policy.ts';
import { keptDecision } from './kept-decision.ts';
import { restoreResponse, storedResponse } from './stored-answer.ts';

/** Verifies one address and decides about it by the account's policy. Throws refusals only. */
export const decide = verb({
  route: ROUTES.decide,
  parse: ({ body }, caller, deps) => {
    const context: VerificationContext = { ...body.context, purpose: body.context?.purpose ?? 'signup' };
    return {
      ...body,
      context,
      slug: body.policy_slug ?? DEFAULT_SLUG,
      ceilings: ceilingsOf(caller, context),
      subject: subjectOf(deps, caller, body.email),
    };
  },
  probe: ({ subject, slug, ceilings: { deadlineMs } }, { organisationId }, deps) => ({
    rules: rulesProbe(subject),
    deadlineMs,
    policySlug: slug,
    policyKnown: identityOf(deps.knownPolicy(organisationId, slug)),
  }),
  begin: ({ subject, ceilings }, caller, deps) => gather(deps, caller, subject, ceilings.deadlineMs),
  run: async (context, input, gathered) => {
    const { deps, admitted } = context;
    const { email, ceilings, slug, attributes = {} } = input;
    const assessment = await assess(deps, context, input, gathered);
    if (assessment.kind === 'repeated') return restoreResponse(deps, assessment.answer, input);
    const { basis } = assessment;
    const inForce = admitted.reached ? admitted.policy : null;
    const found = await deps.findPolicy(context.organisationId, slug, inForce?.version ?? null, inForce?.sent);

    const id = context.traceId as Id<'dc'>;
    const verification = { ...assessment.answer, trace_id: siblingId('vr', id) };
    const decided = await applyPolicy(deps, context, found.policy, {
      email,
      name: input.name || null,
      attributes,
      context: input.context,
      verification,
      basis,
      ceilings,
    });
    const modelMicros = decided.labelled?.costMicros ?? 0;
    const enrichmentMicros = decided.enrichment.costMicros;
    const costMicros = basis.queries.spendMicros + modelMicros + enrichmentMicros;
    const answer: DecisionResult = {
      ...shown(found, decided, verification),
      ...(input.explain === true ? { explanation: explain(found.policy, decided.facts, decided.ruleDecision) } : {}),
      cost_usd: usd(costMicros),
      latency_ms: Math.max(0, deps.now() - context.startedAt),
      trace_id: id,
    };
    const record: TraceRecord = {
      ...traceRecord(context, basis, verification, input.context),
      id,
      verificationId: siblingId('vr', id),
      kind: 'decide',
      costMicros,
      latencyMs: answer.latency_ms,
      policyDecision: keptDecision(answer.policy, decided, attributes),
    };
    const kept = await context.commit({
      trace: { kind: 'trace', id, record: traceJson(record), addressHash: record.addressHash },
      spendMicros: billedMicros(basis.queries) + modelMicros,
      enrichmentMicros,
      answer: storedResponse(answer, {
        suggestedDomain: decided.labelled?.suggestedDomain ?? null,
        meantDomain: basis.facts.meantDomain,
      }),
    });
    return kept === null ? answer : restoreResponse(deps, kept, input);
  },
});

/** The compiled policy can't go over the wire. */
const identityOf = (known: PolicyIdentity | null): PolicyIdentity | null =>
  known && { version: known.version, createdAt: known.createdAt };

const shown = (
  { slug, version }: DecidingPolicy,
  { ruleDecision, asked, icp, enrichment }: PolicyResult,
  verification: Verification,
) => ({
  decision: ruleDecision.decision,
  rule_id: ruleDecision.ruleId,
  reason: ruleDecision.reason,
  flow: ruleDecision.flow,
  policy: { slug, version },
  experiment: ruleDecision.experiment,
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
