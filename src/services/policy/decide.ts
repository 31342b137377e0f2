import type { DecisionResult } from '../../contract/decision.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { Verification } from '../../contract/verification.ts';
import { USUAL_PURPOSE } from '../../contract/vocabulary.ts';
import { keptOf } from '../../domain/answer/kept.ts';
import { usd } from '../../domain/metering/usage.ts';
import { DEFAULT_SLUG } from '../../domain/policy/policy-records.ts';
import { explain } from '../../domain/policy/evaluate.ts';
import { billedMicros as askedMicros } from '../../domain/router/provider-queries.ts';
import { type TraceRecord, traceJson } from '../../domain/traces/record.ts';
import { type Id, siblingId } from '../../kernel/ids.ts';
import type { PolicyIdentity } from '../../organisation/api.ts';
import { earlierAnswer } from '../caller.ts';
import { reaching } from '../switched-off.ts';
import { meteredVerb } from '../verb.ts';
import { answerTo, assessRequest, judge } from '../verification/judge.ts';
import { observe, subjectOf, verificationProbe } from '../verification/observe.ts';
import type { PolicyResult } from './apply-policy.ts';
import { decideAbout } from './decide-about.ts';
import type { DecidingPolicy } from './deciding-policy.ts';
import { restoreAnswer, storedAnswer } from './stored-answer.ts';

/** Verifies one address and decides about it by the account's policy. Throws refusals only. */
export const decide = meteredVerb({
  route: ROUTES.decide,
  parse: ({ body }) => ({
    ...body,
    name: body.name || null,
    context: { ...body.context, purpose: body.context?.purpose ?? USUAL_PURPOSE.call },
    slug: body.policy_slug ?? DEFAULT_SLUG,
  }),
  serve: async (request, input, deps) => {
    const { email, name, context, slug, attributes = {} } = input;
    const { organisationId } = request;
    const asked = assessRequest(request, context);
    const { deadlineMs, maxCostUsd } = asked;
    const subject = subjectOf(deps, request, email);
    const [seen, admitted] = await Promise.all([
      observe(deps, request, { email, subject, name, deadlineMs }),
      request.authorize(verificationProbe(deps, request, subject, context), {
        deadlineMs,
        policySlug: slug,
        policyKnown: identityOf(deps.knownPolicy(organisationId, slug)),
      }),
    ]);
    const earlier = earlierAnswer(admitted);
    if (earlier !== null) return restoreAnswer(deps, earlier, email, name);
    const id = request.traceId as Id<'dc'>;
    const verificationId = siblingId('vr', id);
    const concluded = await judge(deps, request, admitted, seen, { ...asked, traceId: verificationId });
    const inForce = admitted.reached ? admitted.policy : null;
    const found = await deps.findPolicy(organisationId, slug, inForce?.version ?? null, inForce?.sent);

    const verification = answerTo(email, keptOf(concluded));
    const { result, record, enrichmentMicros, billedMicros } = await decideAbout(
      reaching(deps, admitted),
      { ...request, admitted },
      concluded,
      found,
      {
        email,
        name,
        attributes,
        context,
        verification,
        deadlineMs,
        maxCostUsd,
      },
    );
    const answer: DecisionResult = {
      ...shown(found, result, verification),
      ...(input.explain === true ? { explanation: explain(found.policy, result.facts, result.ruleDecision) } : {}),
      cost_usd: usd(record.costMicros),
      latency_ms: Math.max(0, deps.now() - request.startedAt),
      trace_id: id,
    };
    const decision: TraceRecord = { ...record, id, verificationId, kind: 'decide', latencyMs: answer.latency_ms };
    const kept = await request.commit({
      trace: { kind: 'trace', id, record: traceJson(decision), addressHash: record.addressHash },
      spendMicros: billedMicros,
      providerMicros: askedMicros(concluded.queries),
      enrichmentMicros,
      answer: () =>
        storedAnswer(answer, {
          suggestedDomain: result.labelled?.suggestedDomain ?? null,
          meantDomain: concluded.facts.meantDomain,
        }),
      learnt: concluded.observation,
    });
    return kept === null ? answer : restoreAnswer(deps, kept, email, name);
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
