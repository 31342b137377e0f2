import type { OutcomesReceipt } from '../../contract/feedback.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { readReport } from '../../domain/feedback/bounces/report.ts';
import { type OutcomeRecord, outcomeReceipt, type WaitingOutcome } from '../../domain/feedback/outcomes.ts';
import { maySeeTrace } from '../../domain/traces/present.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import { type Id, idTimeMs, parseId, siblingId } from '../../kernel/ids.ts';
import { findTraceAddresses } from '../../storage/postgres/traces.ts';
import { type Caller, earlierAnswer } from '../caller.ts';
import { flush, type HistoryDeps } from '../traces/history.ts';
import { verb } from '../verb.ts';
import { reportOutcomes } from './report-outcomes.ts';
import { contextOfTrace, type SeenTrace } from './traced-address.ts';

/**
 * Takes a report of what became of a message. The object has it before the answer leaves. Of the bounce text only codes are
 * kept. Where its trace is found at once, the next verification of the address knows; else the report enters the history with its
 * row in Postgres.
 */
export const reportOutcome = verb({
  route: ROUTES.outcome,
  run: async (context, { body }): Promise<OutcomesReceipt> => {
    const { deps, admitted, organisationId, mode } = context;
    const earlier = earlierAnswer(admitted);
    if (earlier !== null) return JSON.parse(earlier) as OutcomesReceipt;
    if ('outcomes' in body) return reportOutcomes(context, body.outcomes);

    const { matched, trace } = await findReported(deps, context, admitted.key, body.trace_id);
    const traced = trace && contextOfTrace(deps, organisationId, trace);
    const isTraced = (other: string): boolean => deps.hashAddress(organisationId, other) === traced?.addressHash;
    const { class: readAs, codes, isUnread } = await readReport(body.outcome, body.smtp_code, isTraced);
    // Made of the request's id: a commit that is sent twice is one report.
    const id = siblingId('oc', context.traceId as Id<'rq'>);
    const record: OutcomeRecord = {
      id,
      organisationId,
      mode,
      traceId: body.trace_id,
      keyId: admitted.key.id,
      outcome: body.outcome,
      class: readAs,
      unread: isUnread,
      basicCode: codes?.code ?? null,
      enhancedCode: codes?.enhanced ?? null,
      reportedAt: idTimeMs(id),
    };
    const kind = mode === 'live' ? readAs : null;
    const report = kind && { class: kind, at: record.reportedAt, of: record.traceId, source: admitted.key.id };
    const waiting: WaitingOutcome = {
      ...record,
      delivery: report && { ...report, addressHash: traced?.addressHash ?? null },
    };
    const receipt = outcomeReceipt(record, matched);
    const kept = await context.commit({
      // A read of the trace looks for reports under the trace's id.
      trace: { kind: 'outcome', id: record.traceId, record: JSON.stringify(waiting), addressHash: null },
      spendMicros: 0,
      answer: () => JSON.stringify(receipt),
      learnt: traced && report && { context: traced.context, answers: [], report, proof: null },
    });
    return kept === null ? receipt : (JSON.parse(kept) as OutcomesReceipt);
  },
});

/** A report waits no longer for Postgres. */
const LOOK_UP_MS = 1_000;

/** Whom a report is about. `matched`: whether the key may read the verification; null: that can't be told in time. */
interface Reported {
  readonly matched: boolean | null;
  /** Null: none, or it was not found in time. */
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
  const answer = await within(lookUp(deps, caller, key, id), LOOK_UP_MS);
  return answer === LATE ? UNTOLD : answer;
}

/**
 * A trace that the key may not read takes the same steps as one that does not exist: neither answer nor time tells them apart.
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
