import { type TraceRecord, traceJson } from '../../src/domain/traces/index.ts';
import { insertTraces } from '../../src/domain/traces/store.ts';
import type { Database } from '../../src/platform/db/client.ts';

/** Writes traces as the outbox does. */
export const writeTraces = (db: Database, traces: readonly TraceRecord[]): Promise<void> =>
  insertTraces(
    db,
    traces.map(traceJson),
    traces.map(({ id }) => id),
  );
