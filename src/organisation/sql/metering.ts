import type { RateWindows } from '../../domain/metering/rate.ts';
import {
  type Budget,
  budgetLeftMicros,
  emptyUsage,
  type Limits,
  type Meter,
  type SettledReservation,
  type Usage,
  utcMonth,
} from '../../domain/metering/usage.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import type { Sql } from './sql.ts';

/** Rate windows and the month's counts in one row, so that one write covers both. */
export interface MeterState {
  readonly windows: RateWindows;
  readonly usage: Usage;
  /** The running request that reads many traces, and its deadline. */
  readonly analysis?: { readonly traceId: string; readonly until: number };
}

/** The counts at `now`: a new UTC month starts at zero. */
export function readMeter(sql: Sql, now: number): MeterState {
  const row = sql.first<{ state: string }>`select state from meter where id = 1`;
  const state = row ? parseMeter(row.state) : freshMeter(now);
  const month = utcMonth(now);
  return state.usage.month < month ? { ...state, usage: emptyUsage(month) } : state;
}

export function writeMeter(sql: Sql, state: MeterState): void {
  const text = JSON.stringify(state);
  sql.run`insert into meter (id, state) values (1, ${text}) on conflict (id) do update set state = excluded.state`;
  lastMeter = { text, state };
}

/** The last written row is usually the next one read. */
let lastMeter: { readonly text: string; readonly state: MeterState } | null = null;
const parseMeter = (text: string): MeterState =>
  lastMeter?.text === text ? lastMeter.state : (JSON.parse(text) as MeterState);

export const addCalls = (meter: MeterState, name: Meter, count: number): MeterState => ({
  ...meter,
  usage: { ...meter.usage, calls: { ...meter.usage.calls, [name]: meter.usage.calls[name] + count } },
});

const freshMeter = (now: number): MeterState => ({ windows: {}, usage: emptyUsage(utcMonth(now)) });

/** Adds to the month's spend of a budget; `micros` may be negative. */
function addTo(sql: Sql, now: number, budget: Budget, micros: number): void {
  const meter = readMeter(sql, now);
  const { usage } = meter;
  const spent =
    budget === 'enrichment'
      ? { enrichmentMicros: usage.enrichmentMicros + micros }
      : { providerMicros: usage.providerMicros + micros };
  writeMeter(sql, { ...meter, usage: { ...usage, ...spent } });
}

/**
 * A request's reservation in a budget. It counts as spent at once and is corrected when the request ends; its row stays
 * for a while, so that a late reservation is refused.
 */
interface ReservationRow {
  readonly micros: number;
  readonly month: string;
}

/** The value of `micros` once the request has ended. */
const SETTLED = -1;

const findReservation = (sql: Sql, budget: Budget, requestId: string): ReservationRow | undefined =>
  sql.first<ReservationRow>`
    select micros, month from reservation where budget = ${budget} and request_id = ${requestId}`;

const putReservation = (
  sql: Sql,
  budget: Budget,
  requestId: string,
  { micros, month }: ReservationRow,
  now: number,
): void =>
  sql.run`
    insert into reservation (budget, request_id, micros, month, at)
    values (${budget}, ${requestId}, ${micros}, ${month}, ${now})
    on conflict (budget, request_id) do update set micros = excluded.micros`;

/** Raises a request's reservation to `totalMicros`; false, without a change, if the budget has less left. */
export function reserve(
  sql: Sql,
  now: number,
  limits: Limits,
  budget: Budget,
  { requestId, totalMicros }: { readonly requestId: string; readonly totalMicros: number },
): boolean {
  const { usage } = readMeter(sql, now);
  const held = findReservation(sql, budget, requestId);
  if (held?.micros === SETTLED) return false;
  const raise = Math.max(0, totalMicros - (held?.micros ?? 0));
  if (raise > (budgetLeftMicros(budget, usage, limits) ?? Number.POSITIVE_INFINITY)) return false;
  addTo(sql, now, budget, raise);
  const micros = (held?.micros ?? 0) + raise;
  putReservation(sql, budget, requestId, { micros, month: held?.month ?? usage.month }, now);
  return true;
}

/** Replaces a request's reservation by what it spent, once. Later reservations of the request are refused. */
export function settle(sql: Sql, now: number, budget: Budget, { requestId, spentMicros }: SettledReservation): void {
  const month = utcMonth(now);
  const held = findReservation(sql, budget, requestId);
  if (held?.micros === SETTLED) return;
  putReservation(sql, budget, requestId, { micros: SETTLED, month }, now);
  // The counts of a past month are not corrected.
  if (held?.month === month) addTo(sql, now, budget, spentMicros - held.micros);
}

/** What a request or a chunk spent: the highest possible bill, and the providers' part without a reservation. */
export interface Spent {
  readonly spendMicros: number;
  readonly providerMicros: number;
}

export const addSpend = (meter: MeterState, { spendMicros, providerMicros }: Spent): MeterState => ({
  ...meter,
  usage: {
    ...meter.usage,
    spendMicros: meter.usage.spendMicros + spendMicros,
    providerMicros: meter.usage.providerMicros + providerMicros,
  },
});

/** How long a late reservation of an ended request is refused. */
const LIFETIME_MS = HOUR_MS;

/** Removes old reservations. Those of requests that died stay counted, because they may have been spent. */
export function forgetReservations(sql: Sql, now: number): void {
  sql.run`delete from reservation where at <= ${now - LIFETIME_MS}`;
}
