import { utcMonth } from '../domain/metering/usage.ts';
import { findEntry } from './authorize.ts';
import type { CommitRequest } from './authorization.ts';
import { addCalls, addSpend, readMeter, type Spent, settle, writeMeter } from './sql/metering.ts';
import {
  appendRecords,
  findOperation,
  finishedOperation,
  lifetimeMs,
  type Operation,
  putOperation,
} from './sql/operations.ts';
import { appendOutbox } from './sql/organisation.ts';
import type { Sql } from './sql/sql.ts';
import type { FlushedOperations } from './flushed.ts';

/**
 * Stores an operation's result: its records wait for Postgres, its spend is booked. Once per operation id; a repeat
 * gets the first answer. An operation that the unreachable object could not authorize is stored too.
 */
export function commit(
  sql: Sql,
  request: CommitRequest,
  now: number,
  flushed: Pick<FlushedOperations, 'has'>,
): { readonly answer: string | null } {
  // This request's own reservations, even if another request's answer stands.
  if (request.enrichment !== undefined) settle(sql, now, 'enrichment', request.enrichment);
  if (request.providers !== undefined) settle(sql, now, 'providers', request.providers);
  const { kind, id, record } = request.trace;
  const isReport = kind === 'outcome' || kind === 'event';
  // A late report is stored, because nothing else has it.
  const operation = isReport ? findOperation(sql, request.operationId) : findEntry(sql, flushed, request, now);
  // Another body under the same Idempotency-Key, served while the object was unreachable, keeps its own answer.
  const hasOtherBody = operation !== null && operation.bodyHash !== request.bodyHash;
  const spent = newSpend(sql, request, now);
  if (operation?.state === 'finished' && !hasOtherBody) {
    if (request.bodyHash !== null) bookSpend(sql, spent, now);
    return { answer: operation.answer };
  }

  // The first request under a key outlived its hold, and a second one failed and reversed the charge.
  const recharged = operation?.state === 'reversed' && !hasOtherBody ? operation.meter : null;
  if (recharged !== null) writeMeter(sql, addCalls(readMeter(sql, now), recharged, 1));
  bookSpend(sql, spent, now);
  const { bodyHash, answer } = request;
  const finished: Operation = {
    ...finishedOperation(id, operation?.month ?? utcMonth(now), operation?.expiresAt ?? now + lifetimeMs(bodyHash)),
    meter: operation?.meter ?? null,
    bodyHash,
    answer,
    addressHash: answer === null ? null : request.trace.addressHash,
  };
  if (!isReport) {
    if (bodyHash === null) {
      putOperation(
        sql,
        request.operationId,
        now,
        { ...finished, answer: null, addressHash: null, expiresAt: null },
        { kind, record },
      );
      return { answer };
    }
    appendRecords(sql, kind, [[id, record]], now);
  } else {
    for (const each of [request.trace, ...request.more])
      appendOutbox(sql, each.kind, each.id, each.kind === 'outcome' ? inOrder(each.record, now) : each.record, now);
  }
  if (!hasOtherBody) putOperation(sql, request.operationId, now, finished);
  return { answer };
}

/** Dates a report by the object's clock, because the clocks of two isolates may differ. */
const inOrder = (record: string, now: number): string =>
  JSON.stringify({ ...(JSON.parse(record) as object), reportedAt: now });

/** The trace without its detail, as stored while the outbox is very large. */
export function withoutDetail(request: CommitRequest): CommitRequest {
  const record = JSON.stringify({ ...(JSON.parse(request.trace.record) as object), detail: null });
  return { ...request, trace: { ...request.trace, record } };
}

function bookSpend(sql: Sql, spent: Spent, now: number): void {
  if (spent.spendMicros > 0) writeMeter(sql, addSpend(readMeter(sql, now), spent));
}

const NOTHING_SPENT: Spent = { spendMicros: 0, providerMicros: 0 };

/**
 * What this request spent, counted once: two requests under one `Idempotency-Key` may both finish, each with its own
 * bill.
 */
function newSpend(sql: Sql, request: CommitRequest, now: number): Spent {
  const { spendMicros, bodyHash, requestId, trace } = request;
  // Reservations are settled separately.
  const providerMicros = request.providers === undefined ? request.providerMicros : 0;
  if (bodyHash === null || spendMicros === 0) return { spendMicros, providerMicros };
  const id = `spend_${requestId}`;
  if (findOperation(sql, id) !== null) return NOTHING_SPENT;
  putOperation(sql, id, now, finishedOperation(trace.id, utcMonth(now), now + lifetimeMs(null)));
  return { spendMicros, providerMicros };
}
