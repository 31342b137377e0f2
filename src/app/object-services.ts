import type { OutboxRow, WriteFailure } from '../domain/organisation/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { analyticsCounters, type Counters } from '../platform/counters.ts';
import { connectDatabase } from '../platform/db/client.ts';
import { serviceClock } from './clock.ts';
import { readConfig } from './config.ts';
import { writeOutbox } from './projection.ts';

/** What an organisation's object needs of the world outside its own storage. */
export interface ObjectServices {
  readonly now: Clock;
  /** How far service time is ahead of the machine's, which alarms go by. */
  readonly clockOffsetMs: number;
  readonly counters: Counters;
  writeOutbox(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null>;
}

export function openObjectServices(env: Env): ObjectServices {
  const { clockOffsetMs, database } = readConfig({ ...env });
  const db = connectDatabase(database);
  return {
    now: serviceClock(clockOffsetMs),
    clockOffsetMs,
    counters: analyticsCounters(env.COUNTERS),
    writeOutbox: (kind, rows) => writeOutbox(db, kind, rows),
  };
}
