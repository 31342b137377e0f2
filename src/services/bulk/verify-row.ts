import type { MxProvider, Unasked } from '../../contract/vocabulary.ts';
import type { Observation } from '../../domain/belief/facts.ts';
import { ERROR_ROW, type RowResult, rowResultOf } from '../../domain/bulk/results/row-result.ts';
import type { SettledReservation } from '../../domain/metering/usage.ts';
import { decisionRecord } from '../../domain/policy/decision.ts';
import { billedMicros, whyUnasked } from '../../domain/router/provider-queries.ts';
import { type TraceRecord, traceJson } from '../../domain/traces/traces.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId, newIdAt } from '../../kernel/ids.ts';
import { describeError, log } from '../../kernel/log.ts';
import type { ObjectDeps, LookupMatch } from '../../organisation/api.ts';
import type { Blobs } from '../../storage/r2.ts';
import type { Caller } from '../caller.ts';
import { openReservation, type Reservation } from '../reservation.ts';
import { type ApplyPolicyRequest, applyPolicy, type DecideDeps, decisionMicros } from '../policy/apply-policy.ts';
import { assessRequest, type JudgedRequest, judge } from '../verification/judge.ts';
import { observe, subjectOf } from '../verification/observe.ts';
import type { AddressTables } from './stored-files.ts';
import type { HeldChunk, ChunkPolicy } from './claim-chunk.ts';

export interface RunDeps {
  readonly checks: DecideDeps;
  readonly objects: ObjectDeps;
  readonly blobs: Blobs;
  readonly addressTables: AddressTables;
}

/** Time for a decision after the verification: enough for the first address of a domain to ask all sources. */
const DECISION_MS = 3_500;

/** Runs the first task of a name alone, and later ones after it. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export interface Row {
  readonly result: RowResult;
  readonly trace: { readonly id: string; readonly record: string } | null;
  /** The highest possible bill of providers and model. */
  readonly spendMicros: number;
  /** Null means no budget was reserved. */
  readonly enrichment: SettledReservation | null;
  /** The highest possible bill of providers. */
  readonly providers: ProviderSpend;
  /** Why no provider was asked; null if one was, or the row is not checked. */
  readonly unasked: Unasked | null;
  /** The operator of its domain's mail hosts. */
  readonly hostFamily: MxProvider;
  /** The address's new observation. */
  readonly observation: Observation | null;
}

/** The possible bill of providers for a row, and its reservation, or null. */
export interface ProviderSpend {
  readonly spentMicros: number;
  readonly reserved: SettledReservation | null;
}

/** A refusal would recur at each try, and an erased address is not checked: the row ends with `error`. */
const REFUSED: Row = {
  result: ERROR_ROW,
  trace: null,
  spendMicros: 0,
  enrichment: null,
  providers: { spentMicros: 0, reserved: null },
  unasked: null,
  hostFamily: 'unknown',
  observation: null,
};

/** What rows of a chunk share. */
interface Beside {
  readonly defer: (work: Promise<unknown>) => void;
  readonly inTurn: InTurn;
  /** Whether a row with a failed look-up is left to a later try. */
  readonly leavesUnresolved: () => boolean;
  /** Called with the possible bill of a row that could not be checked. */
  readonly onUnanswered: (spend: ProviderSpend) => void;
}

/** Checks one address of a chunk as `verify` and `decide` do. Null means it can't be checked now. Never rejects. */
export async function verifyRow(
  deps: RunDeps,
  chunk: HeldChunk,
  email: string,
  place: number,
  match: LookupMatch | null,
  { defer, inTurn, leavesUnresolved, onUnanswered }: Beside,
): Promise<Row | null> {
  const { job } = chunk.record;
  // No vendor receives it any more, and nothing is charged.
  if (match?.isErased === true) return REFUSED;
  const request = requestOf(deps, chunk, place, match, defer);
  const context = { purpose: job.purpose };
  let askedMicros = 0;
  const asked = (): ProviderSpend => ({ spentMicros: askedMicros, reserved: request.ofProviders.settle(askedMicros) });
  try {
    const asking = { ...assessRequest(request, context), begunAt: chunk.claim.begunAt, jobId: job.id };
    const subject = subjectOf(deps.checks, request, email);
    const seen = await observe(deps.checks, request, { email, subject, name: null, deadlineMs: asking.deadlineMs });
    // Before a provider is asked: the next try would pay for its answer again.
    if (seen.observed.mail?.kind === 'unresolved' && seen.observed.sandbox === null && leavesUnresolved()) return null;
    const concluded = await judge(deps.checks, request, request.authorized, seen, asking);
    const { answer, facts, queries, restsOn, observation } = concluded;
    askedMicros = billedMicros(queries);
    // A vendor's limit or open circuit left only the prior: a later try may do better.
    if (answer.degraded === true && request.mode === 'live') {
      onUnanswered(asked());
      return null;
    }
    const decide =
      ({ policy, enrichmentLeftMicros }: ChunkPolicy) =>
      () =>
        applyPolicy(deps.checks, request, policy, {
          email,
          name: null,
          attributes: {},
          context,
          concluded,
          maxCostUsd: asking.maxCostUsd,
          // Time spent waiting for its turn does not count: no caller waits for the answer.
          deadlineMs: deps.checks.now() + DECISION_MS,
          budgetMicros: enrichmentLeftMicros,
        });
    // In turn, so that a domain's company and label are asked for once.
    const by = chunk.policy;
    const decided = by === null ? null : await inTurn(facts.domain, decide(by));
    const judged = by && decided ? decisionRecord(by, decided, concluded, {}) : concluded.record;
    const record: TraceRecord = { ...judged, kind: 'bulk', bulkJobId: job.id };
    const decision = decided && { decision: decided.ruleDecision.decision, ruleId: decided.ruleDecision.ruleId };
    return {
      result: rowResultOf(answer, { meantDomain: facts.meantDomain, basis: restsOn, decision }),
      trace: { id: answer.trace_id, record: traceJson(record) },
      spendMicros: decided === null ? askedMicros : decisionMicros(decided, concluded),
      enrichment: request.ofEnrichment.settle(decided?.enrichment.costMicros ?? 0),
      providers: asked(),
      unasked: whyUnasked(request.mode, facts.precheck, queries),
      hostFamily: facts.provider.mxProvider ?? 'unknown',
      observation: observation,
    };
  } catch (error) {
    onUnanswered(asked());
    if (error instanceof DomainError) return REFUSED;
    log('error', 'bulk_row_failed', { job: job.id, ...describeError(error) });
    return null;
  }
}

/** One address as a request: its chunk is authorized and committed as a whole. */
function requestOf(
  { checks, objects }: RunDeps,
  { organisationId, record, claim, traceSeed, authorize }: HeldChunk,
  place: number,
  match: LookupMatch | null,
  defer: (work: Promise<unknown>) => void,
): Caller &
  JudgedRequest &
  ApplyPolicyRequest & {
    readonly ofEnrichment: Reservation;
    readonly ofProviders: Reservation;
  } {
  const traceId = newIdAt('vr', claim.begunAt, place, (bytes) => bytes.set(traceSeed));
  const ofEnrichment = openReservation(objects, organisationId, 'enrichment', traceId);
  // Each try pays for itself: one that died may have been billed.
  const ofProviders = openReservation(objects, organisationId, 'providers', newId('rq', checks.now()));
  return {
    organisationId,
    mode: record.owner.mode,
    meter: 'bulk',
    traceId,
    defer,
    startedAt: checks.now(),
    authorized: authorize(match),
    ofEnrichment,
    reserveEnrichment: ofEnrichment.reserve,
    ofProviders,
    reserveProviders: ofProviders.reserve,
  };
}
