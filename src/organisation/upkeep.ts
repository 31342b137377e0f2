import { OUR_ERRORS } from '../domain/bulk/job.ts';
import type { Usage } from '../domain/metering/usage.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { ObjectStatus } from './calls.ts';
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
 * address too, and Postgres may reject that row.
 */
export function forgetHeld(sql: Sql, addressHash: string): void {
  forgetSetAside(sql, addressHash);
  forgetLedgerEntries(sql, addressHash);
}

/** Operations removed at once: a few milliseconds of the object's one thread. */
const EXPIRED_AT_ONCE = 1_000;

/** An object's regular work on its counts. */
export class Upkeep {
  private readonly sql: Sql;
  private readonly transact: Transact;
  private readonly project: (usage: { readonly usage: Usage; readonly at: number }) => void;
  private projected = '';
  /** Charges up to this key are looked through: a long outage of Postgres leaves many rows there. */
  private passed = '';

  constructor(sql: Sql, transact: Transact, project: Upkeep['project']) {
    this.sql = sql;
    this.transact = transact;
    this.project = project;
  }

  /** The ledger timer: removes expired operations and reservations, and projects the month's counts. */
  async expireLedger(now: number): Promise<() => number | null> {
    const nexts = this.transact(() => {
      forgetReservations(this.sql, now);
      const charges = expireCharges(this.sql, now, this.passed, EXPIRED_AT_ONCE);
      this.passed = charges.passed;
      return [charges.nextAt, expireLedgerEntries(this.sql, now, EXPIRED_AT_ONCE)];
    });
    const due = nexts.filter((at) => at !== null);
    const next = due.length === 0 ? null : Math.min(...due);
    this.projectUsage(now);
    // Goes on at once while expired ones are left; otherwise waits for several.
    return () => (next === null || next <= now ? next : Math.max(next, now + MINUTE_MS));
  }

  /** Projects the counts when they changed and rows are written anyway, so that a rebuild knows them. */
  projectUsage(now: number): void {
    const { usage } = readMeter(this.sql, now);
    const text = JSON.stringify(usage);
    if (text === this.projected) return;
    this.projected = text;
    this.project({ usage, at: now });
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
