import { DecisionResult } from '../../contract/decision.ts';
import { inOrder } from '../../contract/field-order.ts';
import { ROUTES } from '../../contract/routes.ts';
import { USUAL_PURPOSE } from '../../contract/vocabulary.ts';
import { BUILT_IN, type PolicyMemory } from '../../storage/policy-memory.ts';
import { answerAgain, concludeDecision, type DecidingPolicy, type KeptDecision } from '../../domain/policy/decision.ts';
import { DEFAULT_SLUG } from '../../domain/policy/document.ts';
import { billedMicros } from '../../domain/router/provider-queries.ts';
import { traceJson } from '../../domain/traces/traces.ts';
import { type Id, siblingId } from '../../kernel/ids.ts';
import type { PolicyInForce } from '../../organisation/api.ts';
import { type LabelDeps, suggestionAgain } from '../screening/label.ts';
import { reaching } from '../switched-off.ts';
import { meteredVerb } from '../verb.ts';
import { askable } from '../verification/ask-providers.ts';
import { assessRequest, judge } from '../verification/judge.ts';
import { observe, subjectOf } from '../verification/observe.ts';
import { applyPolicy, decisionMicros } from './apply-policy.ts';

/** Verifies one address and decides about it by the account's policy. Throws only refusals. */
export const decide = meteredVerb({
  route: ROUTES.decide,
  parse: ({ body }) => ({
    ...body,
    name: body.name || null,
    context: { ...body.context, purpose: body.context?.purpose ?? USUAL_PURPOSE.call },
    slug: body.policy_slug ?? DEFAULT_SLUG,
  }),
  serve: async (request, { email, name, context, slug, attributes = {}, explain = false }, deps) => {
    const id = request.traceId as Id<'dc'>;
    const asked = { ...assessRequest(request, context), traceId: siblingId('vr', id) };
    const { deadlineMs, maxCostUsd } = asked;
    const decision = { id, slug, email, attributes, isExplained: explain };
    const subject = subjectOf(deps, request, email);
    const seen = await observe(deps, request, { email, subject, name, deadlineMs });
    const known = deps.policies.get(`${request.organisationId} ${slug}`);
    const first = await request.decide({
      observed: seen.observed,
      request: asked,
      providers: askable(deps, deps.now()),
      decision,
      // The compiled policy can't go over the wire.
      policyKnown: known && { version: known.version, createdAt: known.createdAt },
    });
    const { authorization, policy: inForce } = first;
    const by = policyBy(deps.policies, request.organisationId, slug, known, inForce);
    if (first.concluded !== null) return shown(deps, first.concluded, email, name);

    const concluded = await judge(deps, request, authorization, seen, asked);
    const result = await applyPolicy(
      reaching(deps, authorization),
      { ...request, authorized: authorization },
      by.policy,
      {
        email,
        name,
        attributes,
        context,
        concluded,
        deadlineMs,
        maxCostUsd,
        // While the object is unreachable the budget is unknown: the reservation fails then, and the answer says so.
        budgetMicros: inForce?.enrichmentLeftMicros ?? Number.MAX_SAFE_INTEGER,
      },
    );
    const times = { startedAt: request.startedAt, now: deps.now() };
    const { kept, record } = concludeDecision(by, result, concluded, decision, times);
    const earlier = await request.commit({
      trace: { kind: 'trace', id, record: traceJson(record), addressHash: record.addressHash },
      spendMicros: decisionMicros(result, concluded),
      providerMicros: billedMicros(concluded.queries),
      enrichmentMicros: result.enrichment.costMicros,
      answer: () => JSON.stringify(kept),
      observation: concluded.observation,
    });
    return shown(deps, earlier === null ? kept : (JSON.parse(earlier) as KeptDecision), email, name);
  },
});

/** Remembers the policy in force: while the account is unreachable the last known one decides, or the built-in one. */
function policyBy(
  policies: PolicyMemory,
  organisationId: string,
  slug: string,
  known: DecidingPolicy | null,
  inForce: PolicyInForce | null,
): DecidingPolicy {
  if (inForce === null || inForce.document === null) return known ?? BUILT_IN;
  const { version, createdAt, document } = inForce;
  return policies.put(`${organisationId} ${slug}`, { slug, version, createdAt, document });
}

/** The caller's answer, with the request's address and name. */
function shown(
  deps: Pick<LabelDeps, 'matchName'>,
  kept: KeptDecision,
  email: string,
  name: string | null,
): DecisionResult {
  const { screening } = kept.answer;
  const hasSuggestion = screening !== undefined && screening.typo_source !== null;
  const suggestion = hasSuggestion ? suggestionAgain(deps, email, name, kept.suggestedDomain) : null;
  return inOrder(DecisionResult, answerAgain(kept, email, suggestion)) as DecisionResult;
}
