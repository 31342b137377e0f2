import type { KeyMode } from '../../domain/access/keys.ts';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import { type Id, siblingId } from '../../kernel/ids.ts';
import type { OutboxRow } from '../../storage/postgres/projection.ts';
import type { OutboxEntry } from '../outbox.ts';
import { findWaiting, operationKey } from './operations.ts';
import { type ColumnsOf, first, insertRecord, type RowOf, type Sql, type SqlRow, selectList, storable } from './sql.ts';

/** A flush's result, with the still unwritten records of `traceId`. */
export interface Flushed {
  readonly drained: boolean;
  readonly held: string | null;
  /** The newest outcome reported for it. */
  readonly heldOutcome?: string;
  /** The still unwritten addresses of the requested traces. */
  readonly heldAddresses?: readonly HeldAddress[];
}

/** The address of a trace that is not yet in Postgres, and the key that wrote it. */
export interface HeldAddress {
  readonly id: string;
  readonly mode: KeyMode;
  readonly keyId: Id<'key'>;
  readonly addressHash: string | null;
  readonly display: string;
}

/** `deleted` for a tombstone, null for an object that was never filled. */
export function readOrganisation(sql: Sql): OrganisationSettings | 'deleted' | null {
  const row = first<{ settings: string | null }>(sql, 'select settings from organisation where id = 1');
  if (!row) return null;
  return row.settings === null ? 'deleted' : (JSON.parse(row.settings) as OrganisationSettings);
}

/** `null` leaves the tombstone. */
export function writeOrganisation(sql: Sql, settings: OrganisationSettings | null): void {
  sql.exec(
    'insert into organisation (id, settings) values (1, ?) on conflict (id) do update set settings = excluded.settings',
    settings === null ? null : JSON.stringify(settings),
  );
}

/** SQLite assigns `seq`. */
const NEW_ROW: ColumnsOf<Omit<OutboxRow, 'seq'>> = { kind: 'kind', id: 'id', record: 'record', at: 'at' };
const OUTBOX: ColumnsOf<OutboxRow> = { seq: 'seq', ...NEW_ROW };

/** Appends a row for Postgres. `id` is the record's own; writing a record twice is harmless. */
export function appendOutbox(sql: Sql, kind: OutboxRow['kind'], id: string, record: string, at: number): void {
  insertRecord(sql, 'outbox', NEW_ROW, { kind, id, record: storable(record), at }, '');
}

/** The oldest waiting rows up to `lastSeq`, oldest first, without their records. */
export function listOutbox(sql: Sql, lastSeq: number, limit: number): OutboxEntry[] {
  // Records are ASCII, so their length in bytes, which SQLite knows without reading them, is that in characters.
  return sql
    .exec<{ seq: number; kind: OutboxRow['kind']; chars: number }>(
      'select seq, kind, octet_length(record) as chars from outbox where dead = 0 and seq <= ? order by seq limit ?',
      lastSeq,
      limit,
    )
    .toArray();
}

/** The waiting rows with these numbers, oldest first. */
export const readOutbox = (sql: Sql, seqs: readonly number[]): OutboxRow[] =>
  sql
    .exec<RowOf<OutboxRow>>(
      `select ${selectList(OUTBOX)} from outbox where dead = 0 and seq in (select value from json_each(?)) order by seq`,
      JSON.stringify(seqs),
    )
    .toArray();

export const lastOutboxSeq = (sql: Sql): number =>
  first<{ seq: number | null }>(sql, 'select max(seq) as seq from outbox where dead = 0')?.seq ?? 0;

/** Drops a record's rows, including those set aside: the next projection replaces them. */
export function dropProjected(sql: Sql, kind: OutboxRow['kind'], id: string): void {
  sql.exec('delete from outbox where kind = ? and id = ?', kind, id);
}

export function deleteOutbox(sql: Sql, seqs: readonly number[]): void {
  sql.exec('delete from outbox where seq in (select value from json_each(?))', JSON.stringify(seqs));
}

/**
 * Sets aside a row that Postgres rejects for its content, for inspection; it does not block the rest.
 * @param record the part to keep
 */
export function setAsideOutbox(sql: Sql, seq: number, record: string): void {
  sql.exec('update outbox set dead = 1, record = ? where seq = ?', storable(record), seq);
}

export function appendSetAside(sql: Sql, { kind, id, record, at }: Omit<OutboxRow, 'seq'>): void {
  sql.exec('insert into outbox (kind, id, record, at, dead) values (?, ?, ?, ?, 1)', kind, id, record, at);
}

/**
 * A trace's rows that wait for Postgres: its record (a decision is also found by its verification's id) and the newest
 * report of its outcome, whose row has the trace's id.
 */
export function findHeld(sql: Sql, traceId: Id<'vr' | 'dc'> | null): Omit<Flushed, 'drained'> {
  if (traceId === null) return { held: null };
  const [own, decision] = [siblingId('vr', traceId), siblingId('dc', traceId)];
  const set = first<{ record: string }>(
    sql,
    "select record from outbox where kind = 'trace' and id in (?, ?)",
    traceId,
    decision,
  );
  const trace = findWaiting(sql, traceId) ?? set;
  const outcome = first<{ record: string }>(
    sql,
    "select record from outbox where kind = 'outcome' and id = ? and dead = 0 order by seq desc limit 1",
    own,
  );
  return { held: trace?.record ?? null, ...(outcome && { heldOutcome: outcome.record }) };
}

/** The addresses of traces that wait for Postgres; a decision is also found by its verification's id. */
export function findHeldAddresses(sql: Sql, ids: readonly Id<'vr' | 'dc'>[]): HeldAddress[] {
  const wanted = new Set<string>(ids);
  const rows = sql
    .exec<SqlRow & Omit<HeldAddress, 'mode'> & { mode: HeldAddress['mode'] }>(
      `select id, record ->> 'mode' as mode, record ->> 'keyId' as keyId, record ->> 'addressHash' as addressHash,
         record ->> 'display' as display
       from (
         select id, record from outbox where kind = 'trace' and id in (select value from json_each(?))
         union all
         select trace_id as id, record from operation where kind = 'trace' and key in (select value from json_each(?))
       )`,
      JSON.stringify(ids.flatMap((id) => [id, siblingId('dc', id)])),
      JSON.stringify(ids.map(operationKey)),
    )
    .toArray();
  return rows.flatMap(({ id, ...address }) =>
    [id, siblingId('vr', id as Id<'vr' | 'dc'>)]
      .filter((each) => wanted.has(each))
      .map((each) => ({ ...address, id: each })),
  );
}

/** When the oldest row was added; null for an empty outbox. */
export const outboxOldestAt = (sql: Sql): number | null =>
  first<{ at: number }>(sql, 'select at from outbox where dead = 0 order by seq limit 1')?.at ?? null;

/** An address whose rows in Postgres are still to be unlinked. */
export interface Erasure {
  readonly addressHash: string;
  /** The organisation's own users with this address stay. */
  readonly keepsUsers: boolean;
}

/** Of two erasures the one that keeps no user wins. */
export function putErasure(sql: Sql, { addressHash, keepsUsers }: Erasure, at: number): void {
  sql.exec(
    `insert into erasure (address_hash, at, keeps_users) values (?, ?, ?)
     on conflict (address_hash) do update set keeps_users = min(keeps_users, excluded.keeps_users), at = max(at, excluded.at)`,
    addressHash,
    at,
    keepsUsers ? 1 : 0,
  );
}

/** An erasure under way, and the mark of one, also count for another hash of the address. */
export function rehashErasure(
  sql: Sql,
  { old, hash }: { readonly old: string; readonly hash: string },
  oldMark: string,
  mark: string,
): void {
  const kept = first<{ at: number; keeps_users: number }>(
    sql,
    'select at, keeps_users from erasure where address_hash = ?',
    old,
  );
  if (kept !== undefined) putErasure(sql, { addressHash: hash, keepsUsers: kept.keeps_users === 1 }, kept.at);
  sql.exec('insert or ignore into erased_mark (mark, at) select ?, at from erased_mark where mark = ?', mark, oldMark);
}

export const listErasures = (sql: Sql, limit: number): Erasure[] =>
  sql
    .exec<{ address_hash: string; keeps_users: number }>(
      'select address_hash, keeps_users from erasure order by at, address_hash limit ?',
      limit,
    )
    .toArray()
    .map((row) => ({ addressHash: row.address_hash, keepsUsers: row.keeps_users === 1 }));

export const isBeingErased = (sql: Sql, addressHash: string): boolean =>
  first(sql, 'select at from erasure where address_hash = ?', addressHash) !== undefined;

/** Moves these to the end. */
export function postponeErasures(sql: Sql, addressHashes: readonly string[], now: number): void {
  sql.exec(
    'update erasure set at = ? where address_hash in (select value from json_each(?))',
    now,
    JSON.stringify(addressHashes),
  );
}

export const countErasures = (sql: Sql): number =>
  first<{ count: number }>(sql, 'select count(*) as count from erasure')?.count ?? 0;

export function deleteErasures(sql: Sql, addressHashes: readonly string[]): void {
  sql.exec('delete from erasure where address_hash in (select value from json_each(?))', JSON.stringify(addressHashes));
}

/** Marks an address as erased if a job has files that may contain it. */
export function markErased(sql: Sql, mark: string, at: number): void {
  sql.exec(
    `insert into erased_mark (mark, at) select ?, ? where exists (select 1 from bulk_job where due_at is not null)
     on conflict (mark) do update set at = excluded.at`,
    mark,
    at,
  );
}

export const listErasedMarks = (sql: Sql, since: number): string[] =>
  sql
    .exec<{ mark: string }>('select mark from erased_mark where at >= ?', since)
    .toArray()
    .map(({ mark }) => mark);

/** Drops the marks that no job with files predates. */
export function dropErasedMarks(sql: Sql): void {
  sql.exec(
    `delete from erased_mark where at < (
       select coalesce(min(json_extract(record, '$.job.createdAt')), ?) from bulk_job where due_at is not null)`,
    Number.MAX_SAFE_INTEGER,
  );
}

export function forgetSetAside(sql: Sql, addressHash: string): void {
  sql.exec('delete from outbox where dead = 1 and instr(record, ?) > 0', addressHash);
}

/** Counts every row, so only for the operator's status. */
export function outboxStatus(sql: Sql): {
  readonly rows: number;
  readonly oldestAt: number | null;
  readonly dead: number;
} {
  const row = first<{ rows: number; oldest: number | null; dead: number | null }>(
    sql,
    'select count(*) - coalesce(sum(dead), 0) as rows, min(case when dead = 0 then at end) as oldest, sum(dead) as dead from outbox',
  );
  return { rows: row?.rows ?? 0, oldestAt: row?.oldest ?? null, dead: row?.dead ?? 0 };
}

/** Sets a timer's row; the object's one alarm serves all of them. */
export function setTimer(sql: Sql, name: string, dueAt: number): void {
  sql.exec(
    'insert into timer (name, due_at) values (?, ?) on conflict (name) do update set due_at = excluded.due_at',
    name,
    dueAt,
  );
}

export const listTimers = (sql: Sql): { name: string; due_at: number }[] =>
  sql.exec<{ name: string; due_at: number }>('select name, due_at from timer order by due_at').toArray();

export function clearTimer(sql: Sql, name: string): void {
  sql.exec('delete from timer where name = ?', name);
}
