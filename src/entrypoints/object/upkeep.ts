import { expireOperations, forgetReservations, readMeter } from '../../domain/metering/object-store.ts';
import type { ObjectStatus } from '../../domain/organisation/index.ts';
import { outboxStatus } from '../../domain/organisation/object-store.ts';
import type { Sql } from '../../platform/sql.ts';

/** Operations forgotten in one go: a few milliseconds of the object's one thread. */
const EXPIRED_AT_ONCE = 1_000;

/** Forgets operations and reservations whose time is over; when the next operation's is, or null. */
export function tidy(sql: Sql, now: number): number | null {
  forgetReservations(sql, now);
  return expireOperations(sql, now, EXPIRED_AT_ONCE);
}

export function objectStatus(sql: Sql, now: number): ObjectStatus {
  const { rows, oldestAt, dead } = outboxStatus(sql);
  return { outboxRows: rows, outboxOldestAt: oldestAt, outboxDead: dead, usage: readMeter(sql, now).usage };
}
