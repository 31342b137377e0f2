import { OUR_ERRORS } from '../domain/bulk/job.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { ObjectStatus } from './calls.ts';
import { expireAudit } from './sql/audit.ts';
import { countFailedWith } from './sql/bulk.ts';
import { countWaiting, expireCharges, lastKey, waitingSince } from './sql/ledger.ts';
import { expireLedgerEntries, forgetLedgerEntries, forgetReservations, readMeter } from './sql/metering.ts';
import { countErasures, forgetSetAside, outboxStatus } from './sql/organisation.ts';
import type { Sql, Transact } from './sql/sql.ts';

/** An object this large has been through a long outage of Postgres: it keeps further traces without their detail. */
export const STORAGE_LARGE_BYTES = 2 ** 30;
/** An object this large refuses further requests; it can hold at most 10 GB. */
export const STORAGE_FULL_BYTES = 5 * 2 ** 30;

/**
 * Forgets what the object keeps about an address. Call it once the outbox is written: the removal of a rule names the
 * address too, and Postgres may reject that row. Returns how many kept answers went.
 */
export function forgetHeld(sql: Sql, addressHash: string): number {
  forgetSetAside(sql, addressHash);
  return forgetLedgerEntries(sql, addressHash);
}

/** Operations removed at once: a few milliseconds of the object's one thread. */
const EXPIRED_AT_ONCE = 1_000;

/** An object's regular work on its counts. */
export class Upkeep {
  private readonly sql: Sql;
  private readonly transact: Transact;
  /** Charges up to this key are looked through: a long outage of Postgres leaves many rows there. */
  private passed = '';

  constructor(sql: Sql, transact: Transact) {
    this.sql = sql;
    this.transact = transact;
  }

  /** The ledger timer: removes expired operations and reservations, and what of the audit log is over its time. */
  async expireLedger(now: number): Promise<() => number | null> {
    const { charges, entriesAt } = this.transact(() => {
      forgetReservations(this.sql, now);
      expireAudit(this.sql, now, EXPIRED_AT_ONCE);
      return {
        charges: expireCharges(this.sql, now, this.passed, EXPIRED_AT_ONCE),
        entriesAt: expireLedgerEntries(this.sql, now, EXPIRED_AT_ONCE),
      };
    });
    this.passed = charges.passed;
    const due = [charges.nextAt, entriesAt].filter((at) => at !== null);
    const next = due.length === 0 ? null : Math.min(...due);
    // Goes on at once while expired ones are left; otherwise waits for several.
    return () => (next === null || next <= now ? next : Math.max(next, now + MINUTE_MS));
  }
}

export function objectStatus(sql: Sql, now: number): ObjectStatus {
  const { rows, oldestAt, dead } = outboxStatus(sql);
  const oldest = [oldestAt, waitingSince(sql, lastKey(sql))].filter((at) => at !== null);
  return {
    outboxRows: rows + countWaiting(sql),
    outboxOldestAt: oldest.length === 0 ? null : Math.min(...oldest),
    outboxDead: dead,
    erasures: countErasures(sql),
    jobsFailed: countFailedWith(sql, OUR_ERRORS),
    usage: readMeter(sql, now).usage,
  };
}
