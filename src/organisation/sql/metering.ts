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
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import {
  type ColumnsOf,
  first,
  insertRecord,
  orReplace,
  type RowOf,
  type Sql,
  type SqlRow,
  selectList,
} from './sql.ts';

/** Rate windows and the month's counts in one row, so that one write covers both. */
export interface MeterState {
  readonly windows: RateWindows;
  readonly usage: Usage;
}

/** The counts at `now`: a new UTC month begins at zero. */
export function readMeter(sql: Sql, now: number): MeterState {
  const row = first<{ state: string }>(sql, 'select state from meter where id = 1');
  const state = row ? parseMeter(row.state) : freshMeter(now);
  const month = utcMonth(now);
  return state.usage.month < month ? { ...state, usage: emptyUsage(month) } : state;
}

export function writeMeter(sql: Sql, state: MeterState): void {
  const text = JSON.stringify(state);
  sql.exec('insert into meter (id, state) values (1, ?) on conflict (id) do update set state = excluded.state', text);
  lastMeter = { text, state };
}

/** The row that was written last is read next, unless another organisation's object has come between. */
let lastMeter: { readonly text: string; readonly state: MeterState } | null = null;
const parseMeter = (text: string): MeterState =>
  lastMeter?.text === text ? lastMeter.state : (JSON.parse(text) as MeterState);

/** The counts with `count` more (or fewer) calls of one kind. */
export const addCalls = (meter: MeterState, name: Meter, count: number): MeterState => ({
  ...meter,
  usage: { ...meter.usage, calls: { ...meter.usage.calls, [name]: meter.usage.calls[name] + count } },
});

const freshMeter = (now: number): MeterState => ({ windows: {}, usage: emptyUsage(utcMonth(now)) });

/**
 * The ledger's record of one charged request: `charged`, then `finished` or `reversed`. A repeat charges a reversed one
 * again.
 */
export interface LedgerEntry {
  readonly state: 'charged' | 'finished' | 'reversed';
  /** The trace of the request that works on it or answered it. */
  readonly traceId: string;
  readonly meter: Meter | null;
  readonly month: string;
  readonly bodyHash: string | null;
  readonly answer: string | null;
  /** Until this time one request works on the operation, and a second one is refused. Null: no request is at work. */
  readonly heldUntil: number | null;
  /** The address that the answer is about. */
  readonly addressHash: string | null;
}

const LEDGER: ColumnsOf<LedgerEntry> = {
  state: 'state',
  traceId: 'trace_id',
  meter: 'meter',
  month: 'month',
  bodyHash: 'body_hash',
  answer: 'answer',
  heldUntil: 'held_until',
  addressHash: 'address_hash',
};
type LedgerRow = LedgerEntry & { readonly id: string; readonly expiresAt: number };
const LEDGER_ROW: ColumnsOf<LedgerRow> = { id: 'id', expiresAt: 'expires_at', ...LEDGER };
const REPLACE = orReplace('id', LEDGER_ROW, ['expiresAt']);
const BY_ID = `select ${selectList(LEDGER)} from operation where id = ?`;

export const findLedgerEntry = (sql: Sql, id: string): LedgerEntry | null =>
  first<RowOf<LedgerEntry>>(sql, BY_ID, id) ?? null;

/** How long an operation is kept: a caller may repeat it for 24 hours, our own transport only at once. */
const KEYED_LIFETIME_MS = DAY_MS;
const LIFETIME_MS = HOUR_MS;

/** Enters the operation as `state`. It replaces an entry with the same id and keeps that entry's expiry. */
export function putLedgerEntry(
  sql: Sql,
  id: string,
  now: number,
  operation: LedgerEntry,
  lifetimeMs: number = operation.bodyHash === null ? LIFETIME_MS : KEYED_LIFETIME_MS,
): void {
  const row = { ...operation, id, expiresAt: now + lifetimeMs };
  insertRecord<LedgerRow>(sql, 'operation', LEDGER_ROW, row, REPLACE);
}

/** Keeps the operation at least until then: an entry that a second request takes over may expire soon. */
export function extendLedgerEntry(sql: Sql, id: string, until: number): void {
  sql.exec('update operation set expires_at = ? where id = ? and expires_at < ?', until, id, until);
}

/** The answers about this address that are kept for a repeat. */
export const listAnswers = (sql: Sql, addressHash: string): string[] =>
  sql
    .exec<{ answer: string }>('select answer from operation where address_hash = ? and answer is not null', addressHash)
    .toArray()
    .map(({ answer }) => answer);

/** Erasure: removes the answers about this address, and returns how many. A repeat of such a request counts as a new one. */
export function forgetLedgerEntries(sql: Sql, addressHash: string): number {
  const answers = listAnswers(sql, addressHash).length;
  sql.exec('delete from operation where address_hash = ?', addressHash);
  return answers;
}

/**
 * Removes up to `limit` expired operations, and takes back the charge of unfinished ones, because their requests failed
 * on our side. Returns when the next one expires; null when the ledger is empty.
 */
export function expireLedgerEntries(sql: Sql, now: number, limit: number): number | null {
  const expired = sql
    .exec<{ id: string; state: LedgerEntry['state']; meter: Meter | null; month: string }>(
      'select id, state, meter, month from operation where expires_at <= ? order by expires_at limit ?',
      now,
      limit,
    )
    .toArray();
  let meter = readMeter(sql, now);
  for (const { state, meter: name, month } of expired) {
    if (state === 'charged' && name !== null && month === meter.usage.month) meter = addCalls(meter, name, -1);
  }
  if (expired.length > 0) writeMeter(sql, meter);
  const ids = JSON.stringify(expired.map(({ id }) => id));
  sql.exec('delete from operation where id in (select value from json_each(?))', ids);
  return first<{ next: number | null }>(sql, 'select min(expires_at) as next from operation')?.next ?? null;
}

/** Adds to what the month has spent of a budget; `micros` may be negative. */
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
 * A request's reservation in a budget. It counts as spent at once, is corrected when the request ends, and is kept for a
 * while, so that a late reservation is refused.
 */
interface ReservationRow extends SqlRow {
  micros: number;
  month: string;
}

/** The value of `micros` once the request has ended. */
const SETTLED = -1;

const findReservation = (sql: Sql, budget: Budget, requestId: string): ReservationRow | undefined =>
  first<ReservationRow>(
    sql,
    'select micros, month from reservation where budget = ? and request_id = ?',
    budget,
    requestId,
  );

const putReservation = (
  sql: Sql,
  budget: Budget,
  requestId: string,
  { micros, month }: ReservationRow,
  now: number,
): void =>
  void sql.exec(
    `insert into reservation (budget, request_id, micros, month, at) values (?, ?, ?, ?, ?)
     on conflict (budget, request_id) do update set micros = excluded.micros`,
    budget,
    requestId,
    micros,
    month,
    now,
  );

/** Raises a request's reservation to `totalMicros`; false, without a change, when the budget has less left. */
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

/** What a request or a range spent: the most that vendors may bill, and of that providers without a reservation. */
export interface Spent {
  readonly spendMicros: number;
  readonly providerMicros: number;
}

/** The meter with more spent. */
export const addSpend = (meter: MeterState, { spendMicros, providerMicros }: Spent): MeterState => ({
  ...meter,
  usage: {
    ...meter.usage,
    spendMicros: meter.usage.spendMicros + spendMicros,
    providerMicros: meter.usage.providerMicros + providerMicros,
  },
});

/** Removes old reservations. Those of requests that died stay counted, because they may have been spent. */
export function forgetReservations(sql: Sql, now: number): void {
  sql.exec('delete from reservation where at <= ?', now - LIFETIME_MS);
}
