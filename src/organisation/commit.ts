import { utcMonth } from '../domain/metering/usage.ts';
import type { FinishRequest } from './api.ts';
import { addCalls, findLedgerEntry, putLedgerEntry, readMeter, settleEnrichment, writeMeter } from './sql/metering.ts';
import { appendOutbox } from './sql/organisation.ts';
import type { Sql } from './sql/sql.ts';

/**
 * Enters what came of an operation: the trace into the outbox, the spend into the month. Once per operation id; a repeat
 * gets the first answer. An operation that could not be admitted (the object was out of reach) is entered all the same.
 */
export function commit(sql: Sql, request: FinishRequest, now: number): { readonly answer: string | null } {
  // What this very request had reserved, even where another request's answer stands in the end.
  if (request.enrichment !== undefined) settleEnrichment(sql, now, request.enrichment);
  const operation = findLedgerEntry(sql, request.operationId);
  // Another body under the same Idempotency-Key, let in while the object was out of reach: its answer is its own.
  const hasOtherBody = operation !== null && operation.bodyHash !== request.bodyHash;
  const spendMicros = newSpend(sql, request, now);
  if (operation?.state === 'finished' && !hasOtherBody) {
    if (request.bodyHash !== null) addSpend(sql, spendMicros, now);
    return { answer: operation.answer };
  }

  const { kind, id, record } = request.trace;
  appendOutbox(sql, kind, id, kind === 'outcome' ? inOrder(record, now) : record, now);
  // Of two requests under one key, the first slower than its hold, the other failed and took the charge back: this one answers.
  const recharged = operation?.state === 'reversed' && !hasOtherBody ? operation.meter : null;
  if (recharged !== null) writeMeter(sql, addCalls(readMeter(sql, now), recharged, 1));
  addSpend(sql, spendMicros, now);
  if (!hasOtherBody) {
    putLedgerEntry(sql, request.operationId, now, {
      state: 'finished',
      traceId: request.trace.id,
      meter: operation?.meter ?? null,
      month: operation?.month ?? utcMonth(now),
      bodyHash: request.bodyHash,
      answer: request.answer,
      addressHash: request.answer === null ? null : addressOf(request.trace),
    });
  }
  return { answer: request.answer };
}

/** Null: it is about no address. The release before says it in the record alone. */
const addressOf = ({ addressHash, record }: FinishRequest['trace']): string | null =>
  addressHash === undefined
    ? ((JSON.parse(record) as { addressHash?: string | null }).addressHash ?? null)
    : addressHash;

/** Which report of a trace came last the object alone can say: the clocks of two isolates may be apart. */
const inOrder = (record: string, now: number): string =>
  JSON.stringify({ ...(JSON.parse(record) as object), reportedAt: now });

/** The trace as it is kept while the outbox is very large: what was decided, not what it was made from. */
export function withoutDetail(request: FinishRequest): FinishRequest {
  const record = JSON.stringify({ ...(JSON.parse(request.trace.record) as object), detail: null });
  return { ...request, trace: { ...request.trace, record } };
}

function addSpend(sql: Sql, spendMicros: number, now: number): void {
  if (spendMicros === 0) return;
  const { usage, ...rest } = readMeter(sql, now);
  writeMeter(sql, { ...rest, usage: { ...usage, spendMicros: usage.spendMicros + spendMicros } });
}

/** What this request spent, once: under an `Idempotency-Key` two may finish one operation, each with a bill of its own. */
function newSpend(sql: Sql, { spendMicros, bodyHash, requestId, trace }: FinishRequest, now: number): number {
  if (bodyHash === null || spendMicros === 0) return spendMicros;
  const id = `spend_${requestId}`;
  if (findLedgerEntry(sql, id) !== null) return 0;
  const nothingCharged = { meter: null, bodyHash: null, answer: null };
  putLedgerEntry(sql, id, now, { state: 'finished', traceId: trace.id, month: utcMonth(now), ...nothingCharged });
  return spendMicros;
}
