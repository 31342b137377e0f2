import type { OutcomeReceipt, OutcomeRequest, OutcomesReceipt } from '../contract/feedback.ts';
import { ROUTES } from '../contract/routes.ts';
import type { KeyIdentity } from '../domain/access/keys.ts';
import type { DeliveryReport } from '../domain/belief/facts.ts';
import { type ReadReport, readReport } from '../domain/feedback/bounces/report.ts';
import {
  type OutcomeRecord,
  type WaitingOutcome,
  eventBatch,
  eventFault,
  outcomeReceipt,
} from '../domain/feedback/outcomes.ts';
import { maySeeTrace, type TraceRecord } from '../domain/traces/traces.ts';
import { LATE, within } from '../kernel/clock.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, idTimeMs, newIdAt, parseId, siblingId } from '../kernel/ids.ts';
import type { Completion } from '../organisation/api.ts';
import { findTraceAddresses } from '../storage/postgres/traces.ts';
import { type Caller, earlierAnswer } from './caller.ts';
import { contextOfTrace, type SeenTrace } from './observations.ts';
import { flush, type HistoryDeps } from './traces.ts';
import { type Context, verb } from './verb.ts';
import { hashesOf } from './verification/observe.ts';

/** How long reports wait for Postgres. */
const LOOK_UP_MS = { one: 1_000, batch: 2_000 };

/**
 * Accepts one report of a message's outcome, or a batch. The object has them before the answer is sent. Only the codes
 * of a bounce text are stored.
 */
export const reportOutcome = verb({
  route: ROUTES.outcome,
  run: async (context, { body }): Promise<OutcomesReceipt> => {
    const earlier = earlierAnswer(context.authorized);
    if (earlier !== null) return JSON.parse(earlier) as OutcomesReceipt;
    return 'outcomes' in body ? reportBatch(context, body.outcomes) : reportOne(context, body);
  },
});

/**
 * If the trace is found at once, the next verification of the address includes the report; else it enters the history
 * with its row in Postgres.
 */
async function reportOne(context: Context, request: OutcomeRequest): Promise<OutcomesReceipt> {
  const { deps, authorized, organisationId } = context;
  const { matched, trace } = await findReported(deps, context, authorized.key, request.trace_id);
  const traced = trace && contextOfTrace(deps, organisationId, trace);
  const isTraced = (other: string): boolean =>
    hashesOf(deps, organisationId, other).some((hash) => hash === traced?.addressHash);
  const read = await readReport(request.outcome, request.smtp_code, isTraced);
  // Derived from the request's id: a commit that is sent twice is one report.
  const { record, report } = recordOf(context, siblingId('oc', context.traceId as Id<'rq'>), request, read);
  const receipt = outcomeReceipt(record, matched);
  const kept = await context.commit({
    trace: waitingTrace({ ...record, delivery: report && { ...report, addressHash: traced?.addressHash ?? null } }),
    spendMicros: 0,
    answer: () => JSON.stringify(receipt),
    observation: traced && report && { context: traced.context, answers: [], report, proof: null },
  });
  return kept === null ? receipt : (JSON.parse(kept) as OutcomesReceipt);
}

/** All or none, in one transaction of the object. They enter the histories with their rows in Postgres. */
async function reportBatch(context: Context, requests: readonly OutcomeRequest[]): Promise<OutcomesReceipt> {
  const { deps, authorized, startedAt } = context;
  const records = await Promise.all(
    requests.map(async (request, place): Promise<WaitingOutcome> => {
      const read = await readReport(request.outcome, request.smtp_code);
      // Of two reports of one trace in a list, the later one has the greater id and wins.
      const { record, report } = recordOf(context, newIdAt('oc', startedAt, place), request, read);
      return { ...record, delivery: report && { ...report, addressHash: null } };
    }),
  );
  const matched = await matchesOf(deps, context, authorized.key, records);
  const outcomes = records.map((record): OutcomeReceipt => outcomeReceipt(record, matched(record.traceId)));
  const [trace, ...more] = records.map(waitingTrace);
  if (trace === undefined) return { outcomes };
  const kept = await context.commit({ trace, more, spendMicros: 0, answer: () => JSON.stringify({ outcomes }) });
  return kept === null ? { outcomes } : (JSON.parse(kept) as OutcomesReceipt);
}

/** A report as stored, and its class; null if it is not about the mailbox. */
function recordOf(
  { organisationId, mode, authorized }: Context,
  id: Id<'oc'>,
  { trace_id: traceId, outcome }: OutcomeRequest,
  { class: readAs, codes, isUnread }: ReadReport,
): { readonly record: OutcomeRecord; readonly report: DeliveryReport | null } {
  const reportedAt = idTimeMs(id);
  const keyId = authorized.key.id;
  const record = {
    id,
    organisationId,
    mode,
    traceId,
    keyId,
    outcome,
    class: readAs,
    unread: isUnread,
    basicCode: codes?.code ?? null,
    enhancedCode: codes?.enhanced ?? null,
    reportedAt,
  };
  const kind = mode === 'live' ? readAs : null;
  return { record, report: kind && { class: kind, at: reportedAt, of: traceId, source: keyId } };
}

/** A read of the trace looks for reports under the trace's id. */
const waitingTrace = (record: WaitingOutcome): Completion['trace'] => ({
  kind: 'outcome',
  id: record.traceId,
  record: JSON.stringify(record),
  addressHash: null,
});

/** Whom a report is about. `matched`: whether the key may read the verification; null if Postgres was too slow. */
interface Reported {
  readonly matched: boolean | null;
  /** Null means none, or not found in time. */
  readonly trace: SeenTrace | null;
}
const UNTOLD: Reported = { matched: null, trace: null };

/** Finds the verification by itself or in a decision. */
async function findReported(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  text: string,
): Promise<Reported> {
  const id = parseId('vr', text);
  if (id === null) return { matched: false, trace: null };
  const answer = await within(lookUp(deps, caller, key, id), LOOK_UP_MS.one);
  return answer === LATE ? UNTOLD : answer;
}

/**
 * A trace that the key may not read takes the same steps as a missing one: neither answer nor time distinguishes them.
 */
async function lookUp(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  id: Id<'vr'>,
): Promise<Reported> {
  const reported = (trace: SeenTrace | undefined): Reported => ({
    matched: trace !== undefined && maySeeTrace(key, trace),
    trace: trace ?? null,
  });
  const find = () =>
    findTraceAddresses(deps.db, caller.organisationId, [id]).then(
      (found) => reported(found.get(id)),
      () => UNTOLD,
    );
  const found = await find();
  if (found.matched === true) return found;
  // A young trace may still be with the object.
  const { drained, held } = await flush(deps, caller, id);
  const waiting = held === null ? null : reported(JSON.parse(held) as TraceRecord);
  if (waiting?.matched === true) return waiting;
  return drained ? find() : { matched: null, trace: waiting?.trace ?? found.trace };
}

/** Whether the key may read each verification; null if Postgres was too slow. */
async function matchesOf(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  records: readonly OutcomeRecord[],
): Promise<(traceId: string) => boolean | null> {
  const ids = [...new Set(records.flatMap(({ traceId }) => parseId('vr', traceId) ?? []))];
  const seen = await within(seenOf(deps, caller, key, ids), LOOK_UP_MS.batch);
  return (traceId) => {
    const id = parseId('vr', traceId);
    if (id === null || (seen !== LATE && seen?.has(id) === true)) return id !== null;
    return seen === LATE || seen === null ? null : false;
  };
}

/** The verifications that the key may read; null if Postgres does not answer. */
async function seenOf(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  ids: readonly Id<'vr'>[],
): Promise<ReadonlySet<string> | null> {
  const mayRead = (trace: Pick<TraceRecord, 'mode' | 'keyId'>): boolean => maySeeTrace(key, trace);
  // A young trace may still be with the object.
  const { drained, heldAddresses = [] } = await flush(deps, caller, null, ids);
  const held = heldAddresses.filter(mayRead).map(({ id }) => id);
  if (!drained && held.length < ids.length) return null;
  const found = await findTraceAddresses(deps.db, caller.organisationId, ids).catch(() => null);
  if (found === null) return null;
  return new Set([...held, ...[...found].filter(([, trace]) => mayRead(trace)).map(([id]) => id)]);
}

/** Accepts events of a signup, all or none. The object has them before the answer is sent. */
export const recordEvents = verb({
  route: ROUTES.events,
  parse: ({ body }, { startedAt }) => {
    const fault = eventFault(body, startedAt);
    if (fault !== null) throw new DomainError('invalid_request', fault);
    return body;
  },
  run: async (context, body) => {
    const { organisationId, mode, startedAt: createdAt } = context;
    const batch = eventBatch({ organisationId, mode, createdAt }, body);
    const ids = batch.events.map(({ id }) => id);
    await context.commit({
      trace: { kind: 'event', id: context.traceId, record: JSON.stringify(batch), addressHash: null },
      spendMicros: 0,
      answer: () => '',
    });
    return { accepted: ids.length, ids };
  },
});
