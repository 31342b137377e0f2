import type { Meter } from '../../domain/metering/usage.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { OutboxRow } from '../../storage/postgres/projection.ts';
import { addCalls, readMeter, writeMeter } from './metering.ts';
import {
  anyOf,
  type ColumnsOf,
  insertRecord,
  insertRecords,
  orReplace,
  selectList,
  type Sql,
  storable,
} from './sql.ts';

/** One request's operation: `charged`, then `finished` or `reversed`. A repeat charges a reversed one again. */
export interface Operation {
  readonly state: 'charged' | 'finished' | 'reversed';
  /** The trace of the request that works on it or answered it. */
  readonly traceId: string;
  readonly meter: Meter | null;
  readonly month: string;
  readonly bodyHash: string | null;
  readonly answer: string | null;
  /** Until then one request has the operation to itself, and a second is refused. Null: no request is running. */
  readonly heldUntil: number | null;
  /** The address that the answer is about. */
  readonly addressHash: string | null;
  /** Null means that the row goes once Postgres has its record. */
  readonly expiresAt: number | null;
}

/** Records that wait for Postgres here; all others are in the outbox. */
export const RECORD_KINDS = ['trace', 'screening'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * A row is an operation, a record that waits for Postgres, or both: an operation without an `Idempotency-Key` contains
 * its trace. `record`: a record alone, which no repeat reads.
 */
interface OperationRow extends Omit<Operation, 'state' | 'month'> {
  readonly key: string;
  readonly state: Operation['state'] | 'record';
  readonly month: string | null;
  /** When it was charged; with a record, since when that waits for Postgres. */
  readonly at: number;
  readonly kind: RecordKind | null;
  readonly record: string | null;
}

const OPERATION: ColumnsOf<Operation> = {
  state: 'state',
  traceId: 'trace_id',
  meter: 'meter',
  month: 'month',
  bodyHash: 'body_hash',
  answer: 'answer',
  heldUntil: 'held_until',
  addressHash: 'address_hash',
  expiresAt: 'expires_at',
};
const ROW: ColumnsOf<OperationRow> = { key: 'key', at: 'at', kind: 'kind', record: 'record', ...OPERATION };

/**
 * Ids of records without their prefix, so that a drain reads rows by age, and a decision is found by its verification's
 * id. Other operations leave no record here: their rows sort last, where a drain does not read them.
 */
export const operationKey = (id: string): string => (/^(?:vr|dc|sc)_/.test(id) ? id.slice(3) : `~${id}`);

/** After every key that sorts by time. */
const TIMED_END = '~';

/** How long an operation is stored: a caller may repeat it for 24 hours, the transport only at once. */
export const lifetimeMs = (bodyHash: string | null): number => (bodyHash === null ? HOUR_MS : DAY_MS);

/** An operation known only by its trace, finished without a charge. */
export const finishedOperation = (traceId: string, month: string, expiresAt: number | null): Operation => ({
  state: 'finished',
  traceId,
  meter: null,
  month,
  bodyHash: null,
  answer: null,
  heldUntil: null,
  addressHash: null,
  expiresAt,
});

const SELECTED = selectList(OPERATION);

export const findOperation = (sql: Sql, id: string): Operation | null =>
  sql.first<Operation>`select ${SELECTED} from operation where key = ${operationKey(id)} and state <> 'record'` ?? null;

const REPLACE = orReplace('key', ROW, []);

/** Stores the operation or its next state. A record waits for Postgres from `now` on. */
export function putOperation(
  sql: Sql,
  id: string,
  now: number,
  operation: Operation,
  kept: { readonly kind: RecordKind; readonly record: string } | null = null,
): void {
  const record = kept === null ? null : storable(kept.record);
  const row = { ...operation, key: operationKey(id), at: now, kind: kept?.kind ?? null, record };
  insertRecord<OperationRow>(sql, 'operation', ROW, row, REPLACE);
}

export const listAnswers = (sql: Sql, addressHash: string): string[] =>
  sql.all<{ answer: string }>`
    select answer from operation where address_hash = ${addressHash} and answer is not null`.map(
    ({ answer }) => answer,
  );

/** The answers about an address are found by another hash from now on. */
export const rehashAnswers = (sql: Sql, old: string, hash: string): void =>
  sql.run`update operation set address_hash = ${hash} where address_hash = ${old}`;

/** Erasure: removes the operations whose answers are about this address. A repeat then counts as a new request. */
export function forgetOperations(sql: Sql, addressHash: string): number {
  const answers = listAnswers(sql, addressHash).length;
  sql.run`delete from operation where address_hash = ${addressHash}`;
  return answers;
}

/**
 * Removes up to `limit` expired operations, and reverses the charge of unfinished ones, whose requests failed on our
 * side. Returns when the next one expires, or null.
 */
export function expireOperations(sql: Sql, now: number, limit: number): number | null {
  const expired = sql.all<Pick<OperationRow, 'key' | 'state' | 'meter' | 'month'>>`
    select key, state, meter, month from operation where expires_at <= ${now} order by expires_at limit ${limit}`;
  const before = readMeter(sql, now);
  const meter = expired.reduce(
    (sum, { state, meter: name, month }) =>
      state === 'charged' && name !== null && month === sum.usage.month ? addCalls(sum, name, -1) : sum,
    before,
  );
  if (meter !== before) writeMeter(sql, meter);
  deleteRows(
    sql,
    expired.map(({ key }) => key),
  );
  return (
    sql.first<{ next: number | null }>`select min(expires_at) as next from operation where expires_at is not null`
      ?.next ?? null
  );
}

/** A statement binds at most a hundred values. */
const RECORDS_A_STATEMENT = Math.floor(100 / Object.keys(ROW).length);

/** Appends ids and records that no repeat reads: traces under an `Idempotency-Key`, and those of a file's rows. */
export function appendRecords(
  sql: Sql,
  kind: RecordKind,
  records: readonly (readonly [id: string, record: string])[],
  now: number,
): void {
  const rows = records.map(([id, record]): OperationRow => ({
    ...finishedOperation(id, '', null),
    key: operationKey(id),
    state: 'record',
    month: null,
    at: now,
    kind,
    record: storable(record),
  }));
  for (let from = 0; from < rows.length; from += RECORDS_A_STATEMENT) {
    const some = rows.slice(from, from + RECORDS_A_STATEMENT);
    insertRecords<OperationRow>(sql, 'operation', ROW, some, 'on conflict (key) do nothing');
  }
}

/** A row that waits for Postgres, without its record. */
export type WaitingRow = Pick<OperationRow, 'key' | 'state' | 'at'> & { readonly chars: number };

/** Waiting rows of one kind, by key, after one key and up to another. */
export const listWaiting = (sql: Sql, kind: RecordKind, after: string, upTo: string, limit: number): WaitingRow[] =>
  sql.all<WaitingRow>`
    select key, state, at, octet_length(record) as chars from operation
    where key > ${after} and key <= ${upTo} and kind = ${kind} order by key limit ${limit}`;

type WaitingRecord = Omit<OutboxRow, 'seq'>;

export const readWaiting = (sql: Sql, keys: readonly string[]): WaitingRecord[] =>
  sql.all<WaitingRecord>`
    select kind, trace_id as id, record, at from operation where key in ${anyOf(keys)} order by key`;

export function deleteRows(sql: Sql, keys: readonly string[]): void {
  sql.run`delete from operation where key in ${anyOf(keys)}`;
}

/** The newest key that sorts by time. */
export const lastKey = (sql: Sql): string =>
  sql.first<{ key: string | null }>`select max(key) as key from operation where key < ${TIMED_END}`?.key ?? '';

/** When the oldest waiting row was added, or null. */
export const waitingSince = (sql: Sql, upTo: string): number | null =>
  sql.first<{ at: number }>`select at from operation where key <= ${upTo} and kind is not null order by key limit 1`
    ?.at ?? null;

/** Counts every row, so only for the operator's status. */
export const countWaiting = (sql: Sql): number => sql.count`select count(*) from operation where kind is not null`;

export const findWaiting = (sql: Sql, id: string): { readonly record: string } | undefined =>
  sql.first<{ record: string }>`select record from operation where key = ${operationKey(id)} and kind = 'trace'`;
