import { inOrder } from '../../contract/field-order.ts';
import * as contract from '../../contract/verification.ts';
import { type Concluded, conclude, unaskedQueries, type KeptVerification } from '../../domain/answer/assess.ts';
import { flagLearned, type AssessRequest, prepare, type PurposedContext } from '../../domain/answer/prepared.ts';
import { addressed } from '../../domain/screening/typed-address.ts';
import type { DomainFacts } from '../../storage/domain-facts.ts';
import type { Authorization } from '../authorization.ts';
import type { AuthorizedRequest, Caller } from '../caller.ts';
import { type AskDeps, askProviders } from './ask-providers.ts';
import { type ObserveDeps, refuseInSandbox, type ObservedAddress } from './observe.ts';

/** Default ceilings of a verification. */
export const LATENCY_DEFAULT_MS = 3_500;
export const COST_DEFAULT_USD = 0.02;

/** A higher ceiling counts as this one. */
const LATENCY_MOST_MS = 60_000;

/** The work after the last wait counts against the ceiling too. */
const LATENCY_MARGIN_MS = 10;

export interface VerifyDeps extends Omit<ObserveDeps, 'providers' | 'domainFacts'>, AskDeps {
  readonly domainFacts: Pick<DomainFacts, 'acceptsAll' | 'putAcceptsAll'>;
}

export function assessRequest(
  { organisationId, mode, meter, traceId, startedAt }: Caller,
  context: PurposedContext,
): AssessRequest {
  const maxLatencyMs = Math.min(context.max_latency_ms ?? LATENCY_DEFAULT_MS, LATENCY_MOST_MS);
  return {
    organisationId,
    mode,
    meter,
    traceId,
    startedAt,
    context,
    deadlineMs: startedAt + Math.max(0, maxLatencyMs - LATENCY_MARGIN_MS),
    maxCostUsd: context.max_cost_usd ?? COST_DEFAULT_USD,
  };
}

export type JudgedRequest = Pick<AuthorizedRequest<Authorization>, 'reserveProviders'>;

/**
 * Asks the providers that are worth it, and concludes. The caller commits. Throws only a sandbox's refusal: a failed
 * dependency shows in the answer.
 */
export async function judge(
  deps: VerifyDeps,
  { reserveProviders }: JudgedRequest,
  authorization: Authorization,
  { observed, shared }: ObservedAddress,
  request: AssessRequest,
): Promise<Concluded> {
  refuseInSandbox(observed, request.meter);
  const prepared = prepare(observed, authorization.reached ? authorization : null, request);
  const queries = unaskedQueries(prepared) ?? (await askProviders(deps, prepared, reserveProviders));
  const now = deps.now();
  const concluded = conclude(prepared, queries, now);
  // Shares with other organisations, after the answer, what new answers show about the domain.
  const learned = shared && flagLearned(shared.flag, concluded.observation?.answers ?? [], shared.seenAs, now);
  if (learned !== null) deps.domainFacts.putAcceptsAll(observed.domain, learned);
  return concluded;
}

/** The caller's answer, with the request's address. */
export const answerTo = (email: string, kept: KeptVerification): contract.Verification =>
  inOrder(contract.Verification, addressed(email, kept)) as contract.Verification;
