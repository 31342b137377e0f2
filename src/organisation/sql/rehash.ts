import { rowName } from '../../domain/belief/names.ts';
import { bytesOf, nameOf } from './history.ts';
import type { Sql } from './sql.ts';

/** Whether any name has changed: outside a rotation nothing more is asked. */
const hasRehashes = (sql: Sql): boolean => sql.lookUp('rehash', 'select 1 as one from rehash limit 1') !== undefined;

interface Row {
  readonly hash: ArrayBuffer;
  readonly at: number;
}

const find = (sql: Sql, name: string): Row | undefined =>
  hasRehashes(sql) ? sql.first<Row>`select hash, at from rehash where old_name = ${bytesOf(name)}` : undefined;

/** The hash that what had this one has now. */
export function currentHash(sql: Sql, hash: string): string {
  const row = find(sql, rowName(hash));
  return row === undefined ? hash : nameOf(row.hash);
}

/** The same of the name of a row. */
export function currentName(sql: Sql, name: string): string {
  const row = find(sql, name);
  return row === undefined ? name : rowName(nameOf(row.hash));
}

/** What a Worker asks that does not have the new secret yet, by the hash that its address has now. */
export const currentLookup = <T extends { readonly addressHash: string | null }>(sql: Sql, lookup: T): T =>
  lookup.addressHash === null || !hasRehashes(sql)
    ? lookup
    : { ...lookup, addressHash: currentHash(sql, lookup.addressHash) };

/** A record for Postgres with the hash that its address has now. */
export const withCurrentHashes = (sql: Sql, record: string): string =>
  hasRehashes(sql)
    ? record.replace(
        /"addressHash":"([0-9a-f]{64})"/g,
        (_, hash: string) => `"addressHash":"${currentHash(sql, hash)}"`,
      )
    : record;

/** Enters what a hash is now. False: it was entered after `since` already. */
export function putRehash(sql: Sql, old: string, hash: string, now: number, since: number): boolean {
  const known = find(sql, rowName(old));
  if (known !== undefined && nameOf(known.hash) === hash && known.at > since) return false;
  sql.run`
    insert or replace into rehash (old_name, hash, at) values (${bytesOf(rowName(old))}, ${bytesOf(hash)}, ${now})`;
  return true;
}

/** Erasure: nothing tells any more how the address was hashed before. */
export const forgetRehash = (sql: Sql, old: string): void =>
  void (hasRehashes(sql) && sql.run`delete from rehash where old_name = ${bytesOf(rowName(old))}`);

/** Drops some names of a rotation that is over. */
export const dropRehashes = (sql: Sql, limit: number): void =>
  void (
    hasRehashes(sql) &&
    sql.run`delete from rehash where old_name in (select old_name from rehash order by old_name limit ${limit})`
  );
