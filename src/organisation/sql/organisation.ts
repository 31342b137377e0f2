import type { KeyMode } from '../../domain/access/keys.ts';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import { type Id, siblingId } from '../../kernel/ids.ts';
import type { OutboxRow } from '../../storage/postgres/projection.ts';
import type { OutboxEntry } from '../outbox.ts';
import { findWaiting, operationKey } from './operations.ts';
import { anyOf, type ColumnsOf, insertRecord, selectList, type Sql, storable } from './sql.ts';

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
  const row = sql.first<{ settings: string | null }>`select settings from organisation where id = 1`;
  if (!row) return null;
  return row.settings === null ? 'deleted' : (JSON.parse(row.settings) as OrganisationSettings);
}

/** `null` leaves the tombstone. */
export function writeOrganisation(sql: Sql, settings: OrganisationSettings | null): void {
  sql.run`
    insert into organisation (id, settings) values (1, ${settings && JSON.stringify(settings)})
    on conflict (id) do update set settings = excluded.settings`;
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
  return sql.all<OutboxEntry>`
    select seq, kind, octet_length(record) as chars from outbox
    where dead = 0 and seq <= ${lastSeq} order by seq limit ${limit}`;
}

/** The waiting rows with these numbers, oldest first. */
export const readOutbox = (sql: Sql, seqs: readonly number[]): OutboxRow[] =>
  sql.all<OutboxRow>`select ${selectList(OUTBOX)} from outbox where dead = 0 and seq in ${anyOf(seqs)} order by seq`;

export const lastOutboxSeq = (sql: Sql): number => sql.count`select max(seq) from outbox where dead = 0`;

/** Drops a record's rows, including those set aside: the next projection replaces them. */
export function dropProjected(sql: Sql, kind: OutboxRow['kind'], id: string): void {
  sql.run`delete from outbox where kind = ${kind} and id = ${id}`;
}

export function deleteOutbox(sql: Sql, seqs: readonly number[]): void {
  sql.run`delete from outbox where seq in ${anyOf(seqs)}`;
}

/**
 * Sets aside a row that Postgres rejects for its content, for inspection; it does not block the rest.
 * @param record the part to keep
 */
export function setAsideOutbox(sql: Sql, seq: number, record: string): void {
  sql.run`update outbox set dead = 1, record = ${storable(record)} where seq = ${seq}`;
}

export function appendSetAside(sql: Sql, { kind, id, record, at }: Omit<OutboxRow, 'seq'>): void {
  sql.run`insert into outbox (kind, id, record, at, dead) values (${kind}, ${id}, ${record}, ${at}, 1)`;
}

/**
 * A trace's rows that wait for Postgres: its record (a decision is also found by its verification's id) and the newest
 * report of its outcome, whose row has the trace's id.
 */
export function findHeld(sql: Sql, traceId: Id<'vr' | 'dc'> | null): Omit<Flushed, 'drained'> {
  if (traceId === null) return { held: null };
  const [own, decision] = [siblingId('vr', traceId), siblingId('dc', traceId)];
  const set = sql.first<{ record: string }>`
    select record from outbox where kind = 'trace' and id in (${traceId}, ${decision})`;
  const trace = findWaiting(sql, traceId) ?? set;
  const outcome = sql.first<{ record: string }>`
    select record from outbox where kind = 'outcome' and id = ${own} and dead = 0 order by seq desc limit 1`;
  return { held: trace?.record ?? null, ...(outcome && { heldOutcome: outcome.record }) };
}

/** The addresses of traces that wait for Postgres; a decision is also found by its verification's id. */
export function findHeldAddresses(sql: Sql, ids: readonly Id<'vr' | 'dc'>[]): HeldAddress[] {
  const wanted = new Set<string>(ids);
  const rows = sql.all<HeldAddress>`
    select id, record ->> 'mode' as mode, record ->> 'keyId' as keyId, record ->> 'addressHash' as addressHash,
      record ->> 'display' as display
    from (
      select id, record from outbox where kind = 'trace' and id in
        ${anyOf(ids.flatMap((id) => [id, siblingId('dc', id)]))}
      union all
      select trace_id as id, record from operation where kind = 'trace' and key in ${anyOf(ids.map(operationKey))}
    )`;
  return rows.flatMap(({ id, ...address }) =>
    [id, siblingId('vr', id as Id<'vr' | 'dc'>)]
      .filter((each) => wanted.has(each))
      .map((each) => ({ ...address, id: each })),
  );
}

/** When the oldest row was added; null for an empty outbox. */
export const outboxOldestAt = (sql: Sql): number | null =>
  sql.first<{ at: number }>`select at from outbox where dead = 0 order by seq limit 1`?.at ?? null;

/** An address whose rows in Postgres are still to be unlinked. */
export interface Erasure {
  readonly addressHash: string;
  /** The organisation's own users with this address stay. */
  readonly keepsUsers: boolean;
}

/** Of two erasures the one that keeps no user wins. */
export function putErasure(sql: Sql, { addressHash, keepsUsers }: Erasure, at: number): void {
  sql.run`
    insert into erasure (address_hash, at, keeps_users) values (${addressHash}, ${at}, ${keepsUsers ? 1 : 0})
    on conflict (address_hash) do update set
      keeps_users = min(keeps_users, excluded.keeps_users), at = max(at, excluded.at)`;
}

/** An erasure under way, and the mark of one, also count for another hash of the address. */
export function rehashErasure(
  sql: Sql,
  { old, hash }: { readonly old: string; readonly hash: string },
  oldMark: string,
  mark: string,
): void {
  const kept = sql.first<{ at: number; keeps_users: number }>`
    select at, keeps_users from erasure where address_hash = ${old}`;
  if (kept !== undefined) putErasure(sql, { addressHash: hash, keepsUsers: kept.keeps_users === 1 }, kept.at);
  sql.run`insert or ignore into erased_mark (mark, at) select ${mark}, at from erased_mark where mark = ${oldMark}`;
}

export const listErasures = (sql: Sql, limit: number): Erasure[] =>
  sql.all<{ address_hash: string; keeps_users: number }>`
    select address_hash, keeps_users from erasure order by at, address_hash limit ${limit}`.map((row) => ({
    addressHash: row.address_hash,
    keepsUsers: row.keeps_users === 1,
  }));

export const isBeingErased = (sql: Sql, addressHash: string): boolean =>
  sql.first`select at from erasure where address_hash = ${addressHash}` !== undefined;

/** Moves these to the end. */
export function postponeErasures(sql: Sql, addressHashes: readonly string[], now: number): void {
  sql.run`update erasure set at = ${now} where address_hash in ${anyOf(addressHashes)}`;
}

export const countErasures = (sql: Sql): number => sql.count`select count(*) from erasure`;

export function deleteErasures(sql: Sql, addressHashes: readonly string[]): void {
  sql.run`delete from erasure where address_hash in ${anyOf(addressHashes)}`;
}

/** Marks an address as erased if a job has files that may contain it. */
export function markErased(sql: Sql, mark: string, at: number): void {
  sql.run`
    insert into erased_mark (mark, at)
    select ${mark}, ${at} where exists (select 1 from bulk_job where due_at is not null)
    on conflict (mark) do update set at = excluded.at`;
}

export const listErasedMarks = (sql: Sql, since: number): string[] =>
  sql.all<{ mark: string }>`select mark from erased_mark where at >= ${since}`.map(({ mark }) => mark);

/** Drops the marks that no job with files predates. */
export function dropErasedMarks(sql: Sql): void {
  sql.run`
    delete from erased_mark where at < (
      select coalesce(min(json_extract(record, '$.job.createdAt')), ${Number.MAX_SAFE_INTEGER})
      from bulk_job where due_at is not null)`;
}

export function forgetSetAside(sql: Sql, addressHash: string): void {
  sql.run`delete from outbox where dead = 1 and instr(record, ${addressHash}) > 0`;
}

/** Counts every row, so only for the operator's status. */
export function outboxStatus(sql: Sql): {
  readonly rows: number;
  readonly oldestAt: number | null;
  readonly dead: number;
} {
  const row = sql.first<{ rows: number; oldest: number | null; dead: number | null }>`
    select count(*) - coalesce(sum(dead), 0) as rows, min(case when dead = 0 then at end) as oldest,
      sum(dead) as dead from outbox`;
  return { rows: row?.rows ?? 0, oldestAt: row?.oldest ?? null, dead: row?.dead ?? 0 };
}

/** Sets a timer's row; the object's one alarm serves all of them. */
export function setTimer(sql: Sql, name: string, dueAt: number): void {
  sql.run`
    insert into timer (name, due_at) values (${name}, ${dueAt})
    on conflict (name) do update set due_at = excluded.due_at`;
}

export const listTimers = (sql: Sql): { name: string; due_at: number }[] =>
  sql.all<{ name: string; due_at: number }>`select name, due_at from timer order by due_at`;

export function clearTimer(sql: Sql, name: string): void {
  sql.run`delete from timer where name = ${name}`;
}
