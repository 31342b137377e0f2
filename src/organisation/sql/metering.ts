import { RATE_CLASSES, type RateWindows, windowOf } from '../../domain/metering/rate.ts';
import {
  emptyUsage,
  enrichmentLeftMicros,
  type Limits,
  type Meter,
  type Usage,
  utcMonth,
} from '../../domain/metering/usage.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import { first, type Sql, type SqlRow } from './sql.ts';

/** Rate windows and the month's counts: one row, so that one write settles both. */
export interface MeterState {
  readonly windows: RateWindows;
  readonly usage: Usage;
}

/** The counts as they stand at `now`: a new UTC month begins at zero. */
export function readMeter(sql: Sql, now: number): MeterState {
  const row = first<{ state: string }>(sql, 'select state from meter where id = 1');
  const state = row ? (JSON.parse(row.state) as MeterState) : freshMeter(now);
  const month = utcMonth(now);
  return state.usage.month < month ? { ...state, usage: emptyUsage(month) } : state;
}

export function writeMeter(sql: Sql, state: MeterState): void {
  sql.exec(
    'insert into meter (id, state) values (1, ?) on conflict (id) do update set state = excluded.state',
    JSON.stringify(state),
  );
}

/** The counts with `count` more (or fewer) calls of one kind. */
export const addCalls = (meter: MeterState, name: Meter, count: number): MeterState => ({
  ...meter,
  usage: { ...meter.usage, calls: { ...meter.usage.calls, [name]: meter.usage.calls[name] + count } },
});

/** With the windows that the release before can't do without. */
const freshMeter = (now: number): MeterState => ({
  windows: Object.fromEntries(RATE_CLASSES.map((name) => [name, windowOf({}, name)])),
  usage: emptyUsage(utcMonth(now)),
});

/** The ledger's record of one charged request. `charged` → `finished`, or → `reversed` (then charged again when it is repeated). */
export interface LedgerEntry {
  readonly state: 'charged' | 'finished' | 'reversed';
  /** Of the request that works on it, or that answered it. */
  readonly traceId: string;
  readonly meter: Meter | null;
  readonly month: string;
  readonly bodyHash: string | null;
  readonly answer: string | null;
  /** Until then the operation is in the hands of one request: a second does not do the same work. */
  readonly heldUntil?: number | null;
  /** Whom the answer is about. */
  readonly addressHash?: string | null;
}

interface LedgerRow extends SqlRow {
  state: LedgerEntry['state'];
  trace_id: string;
  meter: Meter | null;
  month: string;
  body_hash: string | null;
  answer: string | null;
  held_until: number | null;
}

export function findLedgerEntry(sql: Sql, id: string): LedgerEntry | null {
  const row = first<LedgerRow>(
    sql,
    'select state, trace_id, meter, month, body_hash, answer, held_until from operation where id = ?',
    id,
  );
  if (!row) return null;
  return {
    state: row.state,
    traceId: row.trace_id,
    meter: row.meter,
    month: row.month,
    bodyHash: row.body_hash,
    answer: row.answer,
    heldUntil: row.held_until,
  };
}

/** How long an operation is remembered: a caller may repeat it for 24 hours, our own transport only at once. */
const KEYED_LIFETIME_MS = DAY_MS;
const LIFETIME_MS = HOUR_MS;

/** Enters the operation as `state`, in place of an earlier one of the same id, whose end it keeps. */
export function putLedgerEntry(
  sql: Sql,
  id: string,
  now: number,
  operation: LedgerEntry,
  lifetimeMs: number = operation.bodyHash === null ? LIFETIME_MS : KEYED_LIFETIME_MS,
): void {
  const { state, traceId, meter, month, bodyHash, answer, heldUntil = null, addressHash = null } = operation;
  sql.exec(
    `insert into operation (id, expires_at, state, trace_id, meter, month, body_hash, answer, held_until, address_hash)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set state = excluded.state, trace_id = excluded.trace_id, meter = excluded.meter,
       month = excluded.month, body_hash = excluded.body_hash, answer = excluded.answer,
       held_until = excluded.held_until, address_hash = excluded.address_hash`,
    id,
    now + lifetimeMs,
    state,
    traceId,
    meter,
    month,
    bodyHash,
    answer,
    heldUntil,
    addressHash,
  );
}

/** Remembers the operation until then at least: one that is taken over may be near its end. */
export function extendLedgerEntry(sql: Sql, id: string, until: number): void {
  sql.exec('update operation set expires_at = ? where id = ? and expires_at < ?', until, id, until);
}

/** Erasure: of answers about this address nothing is left; a repeat of such a request is a new one. */
export function forgetLedgerEntries(sql: Sql, addressHash: string): void {
  sql.exec('delete from operation where address_hash = ?', addressHash);
}

/**
 * Forgets up to `limit` operations whose time is over, and takes back the charge of those that were never finished: their
 * requests failed on our side. Returns when the next one's time is over; null when none is left.
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

/** Adds to (or takes from) what the month's enrichment has cost. */
function addEnrichment(sql: Sql, now: number, micros: number): void {
  const meter = readMeter(sql, now);
  const enrichmentMicros = meter.usage.enrichmentMicros + micros;
  writeMeter(sql, { ...meter, usage: { ...meter.usage, enrichmentMicros } });
}

/**
 * A request's hold on the budget: counted as spent from the start, put right when the request ends, and kept a while,
 * so that a reservation that comes late is told.
 */
interface ReservationRow extends SqlRow {
  micros: number;
  month: string;
}

/** Stands in `micros` once the request has ended. */
const SETTLED = -1;

const findReservation = (sql: Sql, requestId: string): ReservationRow | undefined =>
  first<ReservationRow>(sql, 'select micros, month from enrichment_reservation where request_id = ?', requestId);

const putReservation = (sql: Sql, requestId: string, { micros, month }: ReservationRow, now: number): void =>
  void sql.exec(
    `insert into enrichment_reservation (request_id, micros, month, at) values (?, ?, ?, ?)
     on conflict (request_id) do update set micros = excluded.micros`,
    requestId,
    micros,
    month,
    now,
  );

/** Raises a request's hold to `totalMicros`; false, and nothing held more, where the budget has not that much left. */
export function reserveEnrichment(
  sql: Sql,
  now: number,
  limits: Limits,
  { requestId, totalMicros }: { readonly requestId: string; readonly totalMicros: number },
): boolean {
  const { usage } = readMeter(sql, now);
  const held = findReservation(sql, requestId);
  if (held?.micros === SETTLED) return false;
  const raise = Math.max(0, totalMicros - (held?.micros ?? 0));
  if (raise > enrichmentLeftMicros(usage, limits)) return false;
  addEnrichment(sql, now, raise);
  const micros = (held?.micros ?? 0) + raise;
  putReservation(sql, requestId, { micros, month: held?.month ?? usage.month }, now);
  return true;
}

/** Puts what a request did spend in the place of what it held; once. What it would yet reserve comes too late. */
export function settleEnrichment(
  sql: Sql,
  now: number,
  { requestId, spentMicros }: { readonly requestId: string; readonly spentMicros: number },
): void {
  const month = utcMonth(now);
  const held = findReservation(sql, requestId);
  if (held?.micros === SETTLED) return;
  putReservation(sql, requestId, { micros: SETTLED, month }, now);
  // Of a month that is over nothing is put right any more.
  if (held?.month === month) addEnrichment(sql, now, spentMicros - held.micros);
}

/** Holds of requests that died, which may have been spent and stay counted; and who settled long ago. */
export function forgetReservations(sql: Sql, now: number): void {
  sql.exec('delete from enrichment_reservation where at <= ?', now - LIFETIME_MS);
}
