import { withoutProperties } from '../domain/feedback/events.ts';
import type { Learnt } from '../domain/verification/history.ts';
import { type Id, idOrNull } from '../kernel/ids.ts';
import { describeError, failureLevel, log } from '../kernel/log.ts';
import type { OutboxRow, WriteFailure } from '../storage/outbox-row.ts';
import { traceRows } from './feedback.ts';
import { drainBackoffMs, drainOutbox } from './outbox.ts';
import type { ObjectServices, TracedAddresses } from './services.ts';
import * as store from './sql/organisation.ts';
import type { Sql } from './sql/sql.ts';

/** Where the drain enters what reports and events show, once it is known whom they are about. */
export interface DrainedHistory {
  find(ids: readonly Id<'vr' | 'dc'>[]): Promise<TracedAddresses>;
  learn(news: readonly Learnt[]): void;
}

const DELETED: WriteFailure = { kind: 'unavailable', error: new Error('the organisation was deleted') };

/**
 * Writes an object's outbox to Postgres. One drain runs at a time: a second caller waits for it (inside one object a
 * promise may be shared) and then writes what came meanwhile.
 */
export class OutboxDrain {
  private readonly sql: Sql;
  private readonly services: ObjectServices;
  private readonly history: DrainedHistory;
  private running: Promise<boolean> | null = null;
  private stopped = false;
  private failures = 0;

  constructor(sql: Sql, services: ObjectServices, history: DrainedHistory) {
    this.sql = sql;
    this.services = services;
    this.history = history;
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

  /**
   * Writes rows, then finds whom reports and events among them are about. All of it is done before the rows are removed: should
   * the object end between, it is done again, to no effect.
   */
  private async writeTraced(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null> {
    const failure = await this.services.writeOutbox(kind, rows);
    if (failure !== null) return failure;
    const found = await traceRows(kind, rows, (ids) => this.history.find(ids)).catch((error: unknown) => ({ error }));
    if ('error' in found) return { kind: 'unavailable', error: found.error };
    const rewritten = found.rows.length === 0 ? null : await this.services.writeOutbox(kind, found.rows);
    if (rewritten === null && found.learnt.length > 0 && !this.stopped) this.history.learn(found.learnt);
    return rewritten;
  }

  private write(lastSeq: number): Promise<boolean> {
    return drainOutbox({
      list: (limit) => store.listOutbox(this.sql, lastSeq, limit),
      read: (fromSeq, toSeq) => store.readOutbox(this.sql, fromSeq, toSeq),
      write: async (kind, rows) => {
        if (this.stopped) return DELETED;
        this.services.counters.add('outbox_rows', rows.length, kind);
        const failure = await this.writeTraced(kind, rows);
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
