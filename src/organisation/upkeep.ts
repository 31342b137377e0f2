import type { Usage } from '../domain/metering/usage.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { ObjectStatus } from './api.ts';
import { countInState } from './sql/bulk.ts';
import { expireLedgerEntries, forgetLedgerEntries, forgetReservations, readMeter } from './sql/metering.ts';
import { countErasures, forgetSetAside, outboxStatus } from './sql/organisation.ts';
import type { Sql, Transact } from './sql/sql.ts';

/** Past this much the outbox has grown through a long outage: traces are kept without what replays them. */
export const STORAGE_LARGE_BYTES = 2 ** 30;
/** Past this much nothing more is taken in; an object holds 10 GB at the most. */
export const STORAGE_FULL_BYTES = 5 * 2 ** 30;

/**
 * What the object itself keeps about an address, once all that was on its way to Postgres has been written: the removal of a
 * rule names the address too, and a row may be set aside.
 */
export function forgetHeld(sql: Sql, addressHash: string): void {
  forgetSetAside(sql, addressHash);
  forgetLedgerEntries(sql, addressHash);
}

/** Operations forgotten in one go: a few milliseconds of the object's one thread. */
const EXPIRED_AT_ONCE = 1_000;

/** What an object does for its counts, unasked. */
export class Upkeep {
  private readonly sql: Sql;
  private readonly transact: Transact;
  private readonly project: (usage: { readonly usage: Usage; readonly at: number }) => void;
  private projected = '';

  constructor(sql: Sql, transact: Transact, project: Upkeep['project']) {
    this.sql = sql;
    this.transact = transact;
    this.project = project;
  }

  /** The ledger timer: forgets operations and reservations whose time is over, and shows Postgres the month's counts. */
  async expireLedger(now: number): Promise<() => number | null> {
    const next = this.transact(() => {
      forgetReservations(this.sql, now);
      return expireLedgerEntries(this.sql, now, EXPIRED_AT_ONCE);
    });
    this.projectUsage(now);
    // More than one go holds: on at once. Else not for each single one.
    return () => (next === null || next <= now ? next : Math.max(next, now + MINUTE_MS));
  }

  /** Counts go to Postgres whenever they changed and something is written there anyway, so that a rebuild knows them. */
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
  return {
    outboxRows: rows,
    outboxOldestAt: oldestAt,
    outboxDead: dead,
    erasures: countErasures(sql),
    jobsFailed: countInState(sql, 'failed'),
    usage: readMeter(sql, now).usage,
  };
}
