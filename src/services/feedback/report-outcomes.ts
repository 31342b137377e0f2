import type { OutcomeReceipt, OutcomeRequest, OutcomesReceipt } from '../../contract/feedback.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { readReport } from '../../domain/feedback/bounces/report.ts';
import { type OutcomeRecord, outcomeReceipt, type WaitingOutcome } from '../../domain/feedback/outcomes.ts';
import { maySeeTrace } from '../../domain/traces/present.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import { type Id, newIdAt, parseId } from '../../kernel/ids.ts';
import type { Completion } from '../../organisation/api.ts';
import { findTraceAddresses } from '../../storage/postgres/traces.ts';
import type { Caller } from '../caller.ts';
import { flush, type HistoryDeps } from '../traces/history.ts';
import type { Context } from '../verb.ts';

/** Takes a batch of reports, all or none: the object keeps them in one transaction. */
export async function reportOutcomes(context: Context, reports: readonly OutcomeRequest[]): Promise<OutcomesReceipt> {
  const { deps, admitted, organisationId, mode, startedAt } = context;
  const read = await Promise.all(reports.map(({ outcome, smtp_code }) => readReport(outcome, smtp_code)));
  const records = reports.map(({ trace_id, outcome }, place): WaitingOutcome => {
    const { codes = null, class: readAs = null, isUnread = false } = read[place] ?? {};
    const kind = mode === 'live' ? readAs : null;
    return {
      // Of two reports of one trace the later in the list has the greater id, and wins.
      id: newIdAt('oc', startedAt, place),
      organisationId,
      mode,
      traceId: trace_id,
      keyId: admitted.key.id,
      outcome,
      class: readAs,
      unread: isUnread,
      basicCode: codes?.code ?? null,
      enhancedCode: codes?.enhanced ?? null,
      reportedAt: startedAt,
      // It enters the history of its address with its row in Postgres.
      delivery: kind && { class: kind, at: startedAt, of: trace_id, source: admitted.key.id, addressHash: null },
    };
  });
  const matched = await matchesOf(deps, context, admitted.key, records);
  const outcomes = records.map((record): OutcomeReceipt => outcomeReceipt(record, matched(record.traceId)));
  const [trace, ...more] = records.map((record): Completion['trace'] => {
    return { kind: 'outcome', id: record.traceId, record: JSON.stringify(record), addressHash: null };
  });
  if (trace === undefined) return { outcomes };
  const kept = await context.commit({ trace, more, spendMicros: 0, answer: () => JSON.stringify({ outcomes }) });
  return kept === null ? { outcomes } : (JSON.parse(kept) as OutcomesReceipt);
}

/** Reports wait no longer for Postgres. */
const LOOK_UP_MS = 2_000;

type Match = (traceId: string) => boolean | null;

/** Whether the key may read each verification. Null: that can't be told in time. */
async function matchesOf(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  records: readonly OutcomeRecord[],
): Promise<Match> {
  const ids = [...new Set(records.flatMap(({ traceId }) => parseId('vr', traceId) ?? []))];
  const seen = await within(seenOf(deps, caller, key, ids), LOOK_UP_MS);
  return (traceId) => {
    const id = parseId('vr', traceId);
    if (id === null || (seen !== LATE && seen?.has(id) === true)) return id !== null;
    return seen === LATE || seen === null ? null : false;
  };
}

/** Those of the verifications that the key may read; null: Postgres does not say. */
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
