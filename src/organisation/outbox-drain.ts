import { withoutProperties } from '../domain/feedback/events.ts';
import { idOrNull } from '../kernel/ids.ts';
import { describeError, failureLevel, log } from '../kernel/log.ts';
import type { WriteFailure } from '../storage/outbox-row.ts';
import { drainBackoffMs, drainOutbox } from './outbox.ts';
import type { ObjectServices } from './services.ts';
import * as store from './sql/organisation.ts';
import type { Sql } from './sql/sql.ts';

const DELETED: WriteFailure = { kind: 'unavailable', error: new Error('the organisation was deleted') };

/**
 * Writes an object's outbox to Postgres. One drain runs at a time: a second caller waits for it (inside one object a
 * promise may be shared) and then writes what came meanwhile.
 */
export class OutboxDrain {
  private readonly sql: Sql;
  private readonly services: ObjectServices;
  private running: Promise<boolean> | null = null;
  private stopped = false;
  private failures = 0;

  constructor(sql: Sql, services: ObjectServices) {
    this.sql = sql;
    this.services = services;
  }

  /** Writes everything in the outbox at the time of the call; false when Postgres could not be reached. */
  async drain(): Promise<boolean> {
    const lastSeq = store.lastOutboxSeq(this.sql);
    while (this.running) {
      if (!(await this.running)) return false;
      if (store.listOutbox(this.sql, lastSeq, 1).length === 0) return true;
    }
    this.running = this.write(lastSeq).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** The outbox timer: after a failure it waits longer each time. */
  async work(): Promise<() => number | null> {
    const drained = await this.drain();
    this.failures = drained ? 0 : this.failures + 1;
    const oldestAt = store.outboxOldestAt(this.sql);
    if (oldestAt !== null) this.services.counters.add('outbox_age_ms', this.services.now() - oldestAt);
    return () => this.nextAt();
  }

  /** Stops writing and waits for running statements: afterwards nothing from this object reaches Postgres. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  /** Null when all is written. Rows that came during a drain may have waited their second already. */
  private nextAt(): number | null {
    const oldestAt = store.outboxOldestAt(this.sql);
    const now = this.services.now();
    if (oldestAt === null) return null;
    return this.failures === 0 ? Math.max(now, oldestAt + drainBackoffMs(0)) : now + drainBackoffMs(this.failures);
  }

  private write(lastSeq: number): Promise<boolean> {
    return drainOutbox({
      list: (limit) => store.listOutbox(this.sql, lastSeq, limit),
      read: (fromSeq, toSeq) => store.readOutbox(this.sql, fromSeq, toSeq),
      write: async (kind, rows) => {
        if (this.stopped) return DELETED;
        this.services.counters.add('outbox_rows', rows.length, kind);
        const failure = await this.services.writeOutbox(kind, rows);
        if (failure?.kind === 'unavailable')
          log(failureLevel(failure.error), 'outbox_not_written', { kind, ...describeError(failure.error) });
        return failure;
      },
      remove: (seqs) => store.deleteOutbox(this.sql, seqs),
      setAside: (row, failure) => {
        store.setAsideOutbox(this.sql, row.seq, row.kind === 'event' ? withoutProperties(row.record) : row.record);
        log('error', 'outbox_row_refused', { kind: row.kind, id: idOrNull(row.id), ...describeError(failure.error) });
      },
    });
  }
}
