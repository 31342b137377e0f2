import { type TraceRecord, traceJson } from '../../src/domain/traces/traces.ts';
import type { Database } from '../../src/storage/postgres/client.ts';
import { insertTraces } from '../../src/storage/postgres/traces.ts';

/** Writes traces as the outbox does. */
export const writeTraces = (db: Database, traces: readonly TraceRecord[]): Promise<void> =>
  insertTraces(
    db,
    traces.map(traceJson),
    traces.map(({ id }) => id),
  );
