import type { EventsReceipt, EventsRequest, OutcomeReceipt, OutcomeRequest } from '../../contract/feedback.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { eventBatch, eventFault } from '../../domain/feedback/events.ts';
import { type OutcomeRecord, outcomeReceipt } from '../../domain/feedback/outcomes.ts';
import { extractSmtpCodes } from '../../domain/feedback/smtp-codes.ts';
import { maySeeTrace } from '../../domain/traces/present.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import { type Id, idTimeMs, parseId, siblingId } from '../../kernel/ids.ts';
import type { Flushed } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { findOutcome } from '../../storage/postgres/feedback.ts';
import { findTraceAddresses } from '../../storage/postgres/traces.ts';
import { admitReached, refuse } from '../access/account.ts';
import type { OpenOperation } from '../frame.ts';
import { earlierAnswer, type Operation } from '../operation.ts';
import { flush, type HistoryDeps } from '../traces/history.ts';

/** What became of a message. Kept with the object before it is answered; of the text that was sent only codes remain. */
export async function reportOutcome(deps: HistoryDeps, op: Operation, body: OutcomeRequest): Promise<OutcomeReceipt> {
  const admission = await admitReached(op);
  const earlier = earlierAnswer(admission);
  if (earlier !== null) return JSON.parse(earlier) as OutcomeReceipt;

  const codes = body.smtp_code === undefined ? null : extractSmtpCodes(body.smtp_code);
  // Made of the request's own id, so that what is sent twice is one report.
  const id = siblingId('oc', op.traceId as Id<'rq'>);
  const record: OutcomeRecord = {
    ...{ id, organisationId: op.organisationId, mode: op.mode, traceId: body.trace_id, keyId: admission.key.id },
    ...{ outcome: body.outcome, basicCode: codes?.code ?? null, enhancedCode: codes?.enhanced ?? null },
    reportedAt: idTimeMs(id),
  };
  const receipt = outcomeReceipt(record, await hasTrace(deps, op, admission.key, body.trace_id));
  const settled = await op.settle({
    // Under the trace's id, where a read of that trace looks for it.
    trace: { kind: 'outcome', id: record.traceId, record: JSON.stringify(record), addressHash: null },
    spendMicros: 0,
    answer: JSON.stringify(receipt),
  });
  return settled === null ? receipt : (JSON.parse(settled) as OutcomeReceipt);
}

/** What a signup went on to do: all of a request's events are kept with the object before it is answered, or none. */
export async function recordEvents(op: OpenOperation, body: EventsRequest): Promise<EventsReceipt> {
  const fault = eventFault(body, op.startedAt);
  if (fault !== null) return refuse(op, fault);
  await admitReached(op);
  const { organisationId, mode, startedAt: createdAt } = op;
  const batch = eventBatch({ organisationId, mode, createdAt }, body);
  const ids = batch.events.map(({ id }) => id);
  await op.settle({
    trace: { kind: 'event', id: op.traceId, record: JSON.stringify(batch) },
    spendMicros: 0,
    answer: '',
  });
  return { accepted: ids.length, ids };
}

/** A report does not wait for a database that is slow or away. */
const LOOK_UP_MS = 1_000;

/** Whether the key may read this verification, by itself or in a decision; null when nobody could say at once. */
async function hasTrace(deps: HistoryDeps, op: Operation, key: KeyIdentity, text: string): Promise<boolean | null> {
  const id = parseId('vr', text);
  if (id === null) return false;
  const answer = await within(lookUp(deps, op, key, id), LOOK_UP_MS);
  return answer === LATE ? null : answer;
}

/** A trace that the key may not read takes the same steps as one that is not there: neither answer nor time tells them apart. */
async function lookUp(deps: HistoryDeps, op: Operation, key: KeyIdentity, id: Id<'vr'>): Promise<boolean | null> {
  const isSeen = (trace: Pick<TraceRecord, 'mode' | 'keyId'> | undefined): boolean =>
    trace !== undefined && maySeeTrace(key, trace);
  const find = () =>
    findTraceAddresses(deps.db, op.organisationId, [id]).then(
      (found) => isSeen(found.get(id)),
      () => null,
    );
  if ((await find()) === true) return true;
  // A trace as young as this may still be with the object.
  const { drained, held } = await flush(deps, op, id);
  if (held !== null && isSeen(JSON.parse(held) as TraceRecord)) return true;
  return drained ? find() : null;
}

/** The report in force about a verification, also while the object still holds it. */
export async function outcomeInForce(
  db: Database,
  op: Operation,
  id: Id<'vr'>,
  { drained, held, heldOutcome }: Flushed,
): Promise<OutcomeRecord | null> {
  if (heldOutcome !== undefined) {
    const record = JSON.parse(heldOutcome) as OutcomeRecord;
    // A test key's report of a live trace, or the other way round, is not in the way of what was written.
    if (record.mode === op.mode) return record;
  }
  // A trace that Postgres could not be given has no report there.
  return held !== null && !drained ? null : findOutcome(db, op.organisationId, op.mode, id);
}
