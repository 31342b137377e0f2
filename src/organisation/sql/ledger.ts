import type { Meter } from '../../domain/metering/usage.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import type { OutboxRow } from '../../storage/postgres/projection.ts';
import { addCalls, type LedgerEntry, readMeter, writeMeter } from './metering.ts';
import { type ColumnsOf, first, insertRecords, type RowOf, type Sql, selectList, storable } from './sql.ts';

/**
 * The ledger has one row an operation: its charge, and from its answer on its trace, until Postgres has that. An operation
 * under an `Idempotency-Key` has its entry in the table `operation`, and only its trace here, as a bulk row has.
 */
interface LedgerRow {
  readonly key: string;
  /** Of the trace. */
  readonly id: string;
  /** `trace`: a record alone, of which no repeat is told. */
  readonly state: LedgerEntry['state'] | 'trace';
  readonly meter: Meter | null;
  readonly month: string | null;
  /** When it was charged; with a record, since when that waits for Postgres. */
  readonly at: number;
  /** Null as long as the operation has no record. */
  readonly kind: LedgerKind | null;
  readonly record: string | null;
}

/** The records that stand in the ledger; all others stand in the outbox. */
export const LEDGER_KINDS = ['trace', 'screening'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

const LEDGER: ColumnsOf<LedgerRow> = {
  key: 'key',
  id: 'id',
  state: 'state',
  meter: 'meter',
  month: 'month',
  at: 'at',
  kind: 'kind',
  record: 'record',
};

/** The part of an id that sorts by time, whatever its prefix: an operation is found by its id, a range by its age. */
export const ledgerKey = (id: string): string => id.slice(id.indexOf('_') + 1);

/** How long a charge without an answer stands before it is taken back. */
const OPEN_MS = HOUR_MS;

const NO_KEY = { bodyHash: null, answer: null, heldUntil: null, addressHash: null } as const;

/** The entry of an operation without an `Idempotency-Key`. */
export function findCharge(sql: Sql, operationId: string): LedgerEntry | null {
  const found = first<RowOf<Pick<LedgerRow, 'id' | 'state' | 'meter' | 'month'>>>(
    sql,
    "select id, state, meter, month from ledger where key = ? and state <> 'trace'",
    ledgerKey(operationId),
  );
  if (found === undefined) return null;
  const { id, state, meter, month } = found;
  return { state: state as LedgerEntry['state'], traceId: id, meter, month: month ?? '', ...NO_KEY };
}

/** The entry of an operation that the ledger no longer has, because Postgres has its trace. */
export const writtenEntry = (operationId: string): LedgerEntry => ({
  state: 'finished',
  traceId: operationId,
  meter: null,
  month: '',
  ...NO_KEY,
});

/** Enters an operation, or its next state. With a record, it waits for Postgres from `now` on. */
export function putCharge(
  sql: Sql,
  operationId: string,
  now: number,
  entry: Pick<LedgerEntry, 'state' | 'traceId' | 'meter' | 'month'>,
  kept: { readonly kind: LedgerKind; readonly record: string } | null = null,
): void {
  const { traceId, ...charge } = entry;
  const record = kept === null ? null : storable(kept.record);
  const row = { key: ledgerKey(operationId), id: traceId, ...charge, at: now, kind: kept?.kind ?? null, record };
  insertRecords<LedgerRow>(sql, 'ledger', LEDGER, [row], REPLACE);
}

const REPLACE = `on conflict (key) do update set ${Object.values<string>(LEDGER)
  .filter((column) => column !== 'key')
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`;

/** Eight values a row; a statement binds at most a hundred. */
const RECORDS_A_STATEMENT = 12;

/** Appends records of which no repeat is told: traces under an `Idempotency-Key`, and of a range. Ids and records. */
export function appendRecords(
  sql: Sql,
  kind: LedgerKind,
  records: readonly (readonly [id: string, record: string])[],
  now: number,
): void {
  for (let from = 0; from < records.length; from += RECORDS_A_STATEMENT) {
    const rows = records.slice(from, from + RECORDS_A_STATEMENT).map(([id, record]): LedgerRow => ({
      key: ledgerKey(id),
      id,
      state: 'trace',
      meter: null,
      month: null,
      at: now,
      kind,
      record: storable(record),
    }));
    insertRecords<LedgerRow>(sql, 'ledger', LEDGER, rows, 'on conflict (key) do nothing');
  }
}

/** A row that waits for Postgres, without its record. */
export type WaitingRow = Pick<LedgerRow, 'key' | 'state' | 'at'> & { readonly chars: number };

/** Rows of one kind that wait for Postgres, by key, after one key and up to another. */
export const listWaiting = (sql: Sql, kind: LedgerKind, after: string, upTo: string, limit: number): WaitingRow[] =>
  sql
    .exec<RowOf<WaitingRow>>(
      `select key, state, at, octet_length(record) as chars from ledger
       where key > ? and key <= ? and kind = ? order by key limit ?`,
      after,
      upTo,
      kind,
      limit,
    )
    .toArray();

type WaitingRecord = Omit<OutboxRow, 'seq'>;
const WAITING: ColumnsOf<WaitingRecord> = { kind: 'kind', id: 'id', record: 'record', at: 'at' };

export const readWaiting = (sql: Sql, keys: readonly string[]): WaitingRecord[] =>
  sql
    .exec<RowOf<WaitingRecord>>(
      `select ${selectList(WAITING)} from ledger where key in (select value from json_each(?)) order by key`,
      JSON.stringify(keys),
    )
    .toArray();

export function deleteRows(sql: Sql, keys: readonly string[]): void {
  sql.exec('delete from ledger where key in (select value from json_each(?))', JSON.stringify(keys));
}

export const lastKey = (sql: Sql): string =>
  first<{ key: string | null }>(sql, 'select max(key) as key from ledger')?.key ?? '';

/** Since when the first row that waits does so; null where none waits. */
export const waitingSince = (sql: Sql, upTo: string): number | null =>
  first<{ at: number }>(sql, 'select at from ledger where key <= ? and kind is not null order by key limit 1', upTo)
    ?.at ?? null;

/** Counts every row, so it is for the operator's status and not for requests. */
export const countWaiting = (sql: Sql): number =>
  first<{ rows: number }>(sql, 'select count(*) as rows from ledger where kind is not null')?.rows ?? 0;

/** The record of a trace that waits for Postgres, by its id or its decision's. */
export const findWaiting = (sql: Sql, id: string): { readonly record: string } | undefined =>
  first<{ record: string }>(sql, "select record from ledger where key = ? and kind = 'trace'", ledgerKey(id));

/** How far charges have been looked through, and when the next one is due; null when none is left. */
export interface Expired {
  readonly passed: string;
  readonly nextAt: number | null;
}

/**
 * Takes back the charges of up to `limit` rows after `passed` whose hour is over: their requests failed on our side. What
 * waits for Postgres is left. Rows stand by age, so it ends at the first that is younger.
 */
export function expireCharges(sql: Sql, now: number, passed: string, limit: number): Expired {
  const rows = sql
    .exec<RowOf<Pick<LedgerRow, 'key' | 'state' | 'meter' | 'month' | 'at' | 'kind'>>>(
      'select key, state, meter, month, at, kind from ledger where key > ? order by key limit ?',
      passed,
      limit + 1,
    )
    .toArray();
  const young = rows.findIndex(({ at }) => at > now - OPEN_MS);
  const old = rows.slice(0, young === -1 ? limit : Math.min(young, limit));
  const left = rows[old.length];
  const ended = old.filter(({ kind }) => kind === null);
  const before = readMeter(sql, now);
  const meter = ended.reduce(
    (sum, { state, meter: name, month }) =>
      state === 'charged' && name !== null && month === sum.usage.month ? addCalls(sum, name, -1) : sum,
    before,
  );
  if (meter !== before) writeMeter(sql, meter);
  deleteRows(
    sql,
    ended.map(({ key }) => key),
  );
  return { passed: old.at(-1)?.key ?? passed, nextAt: left === undefined ? null : left.at + OPEN_MS };
}
