import { OUR_ERRORS } from '../domain/bulk/job.ts';
import type { Budget, Limits, Usage } from '../domain/metering/usage.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { OutboxRow, WriteFailure } from '../storage/postgres/projection.ts';
import type { ObjectCore } from './core.ts';
import { expireAudit } from './changes.ts';
import { countFailedWith } from './sql/bulk.ts';
import { forgetReservations, readMeter, reserve } from './sql/metering.ts';
import { countWaiting, expireOperations, lastKey, waitingSince } from './sql/operations.ts';
import { countErasures, outboxStatus } from './sql/organisation.ts';

export interface ObjectStatus {
  readonly outboxRows: number;
  readonly outboxOldestAt: number | null;
  readonly outboxDead: number;
  /** Forgotten addresses still to be unlinked in Postgres. */
  readonly erasures: number;
  /** Bulk jobs that failed on our side. */
  readonly jobsFailed: number;
  readonly usage: Usage;
}

/** A request's hold of a month's budget, up to `totalMicros` in all, until `commit` brings the real sum. */
export interface Reservation {
  readonly budget: Budget;
  readonly requestId: string;
  readonly totalMicros: number;
}

/** Operations removed at once: a few milliseconds of the object's one thread. */
const EXPIRED_AT_ONCE = 1_000;

/** An organisation's counts, budgets and expired operations. */
export class Metering {
  private readonly core: ObjectCore;
  private projected = '';

  constructor(core: ObjectCore) {
    this.core = core;
  }

  read(): { readonly usage: Usage; readonly limits: Limits } {
    return { usage: this.usage(), limits: this.core.require().limits };
  }

  /** False if the month's budget has less left. */
  reserve({ budget, ...hold }: Reservation): boolean {
    const { limits } = this.core.require();
    return this.core.transact(() => reserve(this.core.sql, this.core.now(), limits, budget, hold));
  }

  status(): ObjectStatus | null {
    const { sql, live } = this.core;
    if (live === null) return null;
    const { rows, oldestAt, dead } = outboxStatus(sql);
    const oldest = [oldestAt, waitingSince(sql, lastKey(sql))].filter((at) => at !== null);
    return {
      outboxRows: rows + countWaiting(sql),
      outboxOldestAt: oldest.length === 0 ? null : Math.min(...oldest),
      outboxDead: dead,
      erasures: countErasures(sql),
      jobsFailed: countFailedWith(sql, OUR_ERRORS),
      usage: this.usage(),
    };
  }

  /** The expiry timer: removes expired operations, reservations and audit lines. */
  async expire(now: number): Promise<() => number | null> {
    const { sql, timers } = this.core;
    const next = this.core.transact(() => {
      forgetReservations(sql, now);
      expireAudit(sql, now, EXPIRED_AT_ONCE);
      return expireOperations(sql, now, EXPIRED_AT_ONCE);
    });
    if (this.isChanged()) timers.arm('outbox', now);
    // Continues at once while expired ones are left; otherwise waits for several.
    return () => (next === null || next <= now ? next : Math.max(next, now + MINUTE_MS));
  }

  /**
   * Writes changed counts to Postgres for a rebuild, straight from the meter when rows are written anyway: an outbox
   * row each time would be dear.
   */
  async project(
    send: (kind: OutboxRow['kind'], rows: readonly OutboxRow[]) => Promise<WriteFailure | null>,
  ): Promise<WriteFailure | null> {
    if (!this.isChanged()) return null;
    const [usage, at] = [this.usage(), this.core.now()];
    const record = JSON.stringify({ usage, at, organisationId: this.core.require().id });
    const failure = await send('usage', [{ seq: 0, kind: 'usage', id: 'usage', record, at }]);
    if (failure?.kind !== 'unavailable') this.projected = JSON.stringify(usage);
    return failure;
  }

  private isChanged(): boolean {
    return JSON.stringify(this.usage()) !== this.projected;
  }

  private usage(): Usage {
    return readMeter(this.core.sql, this.core.now()).usage;
  }
}
