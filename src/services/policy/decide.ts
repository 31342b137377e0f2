import type { DecisionResult } from '../../contract/decision.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { Verification } from '../../contract/verification.ts';
import { USUAL_PURPOSE } from '../../contract/vocabulary.ts';
import { usd } from '../../domain/metering/usage.ts';
import { DEFAULT_SLUG } from '../../domain/policy/default-policy.ts';
import { explain } from '../../domain/policy/evaluate.ts';
import { billedMicros as askedMicros } from '../../domain/router/provider-queries.ts';
import { type TraceRecord, traceJson } from '../../domain/traces/record.ts';
import { type Id, siblingId } from '../../kernel/ids.ts';
import type { PolicyIdentity } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { assess, ceilingsOf, type PurposedContext } from '../verification/assess.ts';
import { gather } from '../verification/gather.ts';
import { verificationProbe } from '../verification/history.ts';
import { subjectOf } from '../verification/local-facts.ts';
import type { PolicyResult } from './apply-policy.ts';
import { decideAbout } from './decide-about.ts';
import type { DecidingPolicy } from './deciding-policy.ts';
import { restoreAnswer, storedAnswer } from './stored-answer.ts';

/** Verifies one address and decides about it by the account's policy. Throws refusals only. */
export const decide = verb({
  route: ROUTES.decide,
  parse: ({ body }, caller, deps) => {
    const context: PurposedContext = { ...body.context, purpose: body.context?.purpose ?? USUAL_PURPOSE.call };
    return {
      ...body,
      context,
      slug: body.policy_slug ?? DEFAULT_SLUG,
      ceilings: ceilingsOf(caller, context),
      subject: subjectOf(deps, caller, body.email),
    };
  },
  probe: ({ subject, context, slug, ceilings: { deadlineMs } }, caller, deps) => ({
    rules: verificationProbe(deps, caller, subject, { purpose: context.purpose }),
    deadlineMs,
    policySlug: slug,
    policyKnown: identityOf(deps.knownPolicy(caller.organisationId, slug)),
  }),
  begin: ({ subject, ceilings }, caller, deps) => gather(deps, caller, subject, ceilings.deadlineMs),
  run: async (context, input, gathered) => {
    const { deps, admitted } = context;
    const { email, ceilings, slug, attributes = {} } = input;
    const assessment = await assess(deps, context, input, gathered);
    if (assessment.kind === 'repeated') return restoreAnswer(deps, assessment.answer, input);
    const inForce = admitted.reached ? admitted.policy : null;
    const found = await deps.findPolicy(context.organisationId, slug, inForce?.version ?? null, inForce?.sent);

    const id = context.traceId as Id<'dc'>;
    const verificationId = siblingId('vr', id);
    const assessed = { ...assessment, answer: { ...assessment.answer, trace_id: verificationId } };
    const { result, record, enrichmentMicros, billedMicros } = await decideAbout(deps, context, assessed, found, {
      email,
      name: input.name || null,
      attributes,
      context: input.context,
      ceilings,
    });
    const answer: DecisionResult = {
      ...shown(found, result, assessed.answer),
      ...(input.explain === true ? { explanation: explain(found.policy, result.facts, result.ruleDecision) } : {}),
      cost_usd: usd(record.costMicros),
      latency_ms: Math.max(0, deps.now() - context.startedAt),
      trace_id: id,
    };
    const decision: TraceRecord = { ...record, id, verificationId, kind: 'decide', latencyMs: answer.latency_ms };
    const kept = await context.commit({
      trace: { kind: 'trace', id, record: traceJson(decision), addressHash: record.addressHash },
      spendMicros: billedMicros,
      providerMicros: askedMicros(assessment.basis.queries),
      enrichmentMicros,
      answer: () =>
        storedAnswer(answer, {
          suggestedDomain: result.labelled?.suggestedDomain ?? null,
          meantDomain: assessment.basis.facts.meantDomain,
        }),
      learnt: assessment.basis.learnt,
    });
    return kept === null ? answer : restoreAnswer(deps, kept, input);
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
