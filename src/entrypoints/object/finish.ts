import { utcMonth } from '../../domain/metering/index.ts';
import {
  addCalls,
  findOperation,
  putOperation,
  readMeter,
  settleEnrichment,
  writeMeter,
} from '../../domain/metering/object-store.ts';
import type { FinishRequest } from '../../domain/organisation/index.ts';
import { appendOutbox } from '../../domain/organisation/object-store.ts';
import type { Sql } from '../../platform/sql.ts';

/**
 * Enters what came of an operation: the trace into the outbox, the spend into the month. Once per operation id; a repeat
 * gets the first answer. An operation that could not be admitted (the object was out of reach) is entered all the same.
 */
export function finish(sql: Sql, request: FinishRequest, now: number): { readonly answer: string | null } {
  // What this very request had reserved, whichever request's answer stands in the end.
  if (request.enrichment !== undefined) settleEnrichment(sql, now, request.enrichment);
  const operation = findOperation(sql, request.operationId);
  // Another body under the same Idempotency-Key, let in while the object was out of reach: its answer is its own.
  const isStranger = operation !== null && operation.bodyHash !== request.bodyHash;
  if (operation?.state === 'finished' && !isStranger) return { answer: operation.answer };

  const { kind, id, record } = request.trace;
  appendOutbox(sql, kind, id, record, now);
  // Of two requests under one key the failed one took the charge back; the other now answers, so it is charged after all.
  const recharged = operation?.state === 'reversed' && !isStranger ? operation.meter : null;
  if (request.spendMicros > 0 || recharged !== null) {
    const meter = readMeter(sql, now);
    const { usage } = recharged === null ? meter : addCalls(meter, recharged, 1);
    writeMeter(sql, { ...meter, usage: { ...usage, spendMicros: usage.spendMicros + request.spendMicros } });
  }
  if (!isStranger) {
    putOperation(sql, request.operationId, now, {
      state: 'finished',
      traceId: request.trace.id,
      meter: operation?.meter ?? null,
      month: operation?.month ?? utcMonth(now),
      bodyHash: request.bodyHash,
      answer: request.answer,
    });
  }
  return { answer: request.answer };
}

/** The trace as it is kept while the outbox is very large: what was decided, not what it was made from. */
export function withoutDetail(request: FinishRequest): FinishRequest {
  const record = JSON.stringify({ ...(JSON.parse(request.trace.record) as object), detail: null });
  return { ...request, trace: { ...request.trace, record } };
}
