import type { DeliveryReport } from '../../domain/verification/history.ts';
import { DOMAIN_AT, HASH_BYTES } from '../../domain/verification/history-codec.ts';
import { first, type Sql } from './sql.ts';

/** Each table's rows: 16 bytes of a keyed hash, and what is known under it, encoded. */
const TABLES = { address: 'address_history', domain: 'domain_history', list: 'list_history' } as const;
export type HistoryKind = keyof typeof TABLES;

/** A row's name is 32 hex digits, its key their bytes. */
export const bytesOf = (name: string): ArrayBuffer => Uint8Array.from(Buffer.from(name, 'hex')).buffer;
const nameOf = (key: ArrayBuffer): string => Buffer.from(key).toString('hex');

export const findHistory = (sql: Sql, kind: HistoryKind, name: string): ArrayBuffer | null =>
  first<{ state: ArrayBuffer }>(sql, `select state from ${TABLES[kind]} where name = ?`, bytesOf(name))?.state ?? null;

/** Whether anything is known at all. An account that asks no provider and sends no reports has nothing. */
export const hasHistory = (sql: Sql): boolean => first(sql, ANY) !== undefined;
const ANY = `select 1 as one where ${Object.values(TABLES)
  .map((table) => `exists (select 1 from ${table})`)
  .join(' or ')}`;

export function putHistory(sql: Sql, kind: HistoryKind, name: string, state: ArrayBuffer): void {
  sql.exec(
    `insert into ${TABLES[kind]} (name, state) values (?, ?) on conflict (name) do update set state = excluded.state`,
    bytesOf(name),
    state,
  );
}

export function deleteHistory(sql: Sql, kind: HistoryKind, name: string): void {
  sql.exec(`delete from ${TABLES[kind]} where name = ?`, bytesOf(name));
}

/** The next addresses in the order of their names. */
export const listAddresses = (
  sql: Sql,
  after: string | null,
  limit: number,
): { readonly name: string; readonly state: ArrayBuffer }[] =>
  sql
    .exec<{ name: ArrayBuffer; state: ArrayBuffer }>(
      'select name, state from address_history where name > ? order by name limit ?',
      bytesOf(after ?? ''),
      limit,
    )
    .toArray()
    .map(({ name, state }) => ({ name: nameOf(name), state }));

/** A key of two bytes comes before all keys that begin with them. */
const prefixOf = (prefix: number): ArrayBuffer => Uint8Array.of(prefix >> 16, prefix >> 8, prefix).buffer.slice(1);
/** Comes behind all keys: it is longer. */
const END = new Uint8Array(HASH_BYTES + 1).fill(255).buffer;

/** The first two bytes of keys: from one pair up to, but not with, another. */
interface Prefixes {
  readonly from: number;
  readonly to: number;
}
const boundsOf = ({ from, to }: Prefixes): [ArrayBuffer, ArrayBuffer] => [
  prefixOf(from),
  to < 2 ** 16 ? prefixOf(to) : END,
];

/** The next addresses at domains whose names begin so, in the order of their own names. */
export const listAddressesAmong = (
  sql: Sql,
  domains: Prefixes,
  after: string | null,
  limit: number,
): { readonly name: string; readonly state: ArrayBuffer }[] =>
  sql
    .exec<{ name: ArrayBuffer; state: ArrayBuffer }>(
      `select name, state from address_history
       where name > ? and substr(state, ${DOMAIN_AT + 1}, 2) >= ? and substr(state, ${DOMAIN_AT + 1}, 2) < ?
       order by name limit ?`,
      bytesOf(after ?? ''),
      ...boundsOf(domains),
      limit,
    )
    .toArray()
    .map(({ name, state }) => ({ name: nameOf(name), state }));

/** The next names of domains or lists that begin so. */
export const listNames = (
  sql: Sql,
  kind: 'domain' | 'list',
  names: Prefixes,
  after: string | null,
  limit: number,
): string[] => {
  const [from, to] = boundsOf(names);
  return sql
    .exec<{ name: ArrayBuffer }>(
      `select name from ${TABLES[kind]} where name > ? and name < ? order by name limit ?`,
      after === null ? from : bytesOf(after),
      to,
      limit,
    )
    .toArray()
    .map(({ name }) => nameOf(name));
};

export const countHistory = (sql: Sql, kind: HistoryKind): number =>
  first<{ rows: number }>(sql, `select count(*) as rows from ${TABLES[kind]}`)?.rows ?? 0;

/** Enters a report, unless a newer one of the same source about the same message is there. */
export function putReport(sql: Sql, name: string, report: DeliveryReport): void {
  sql.exec(
    `insert into delivery_report (address, source, of, class, at) values (?, ?, ?, ?, ?)
     on conflict (address, source, of) do update set class = excluded.class, at = excluded.at where at <= excluded.at`,
    bytesOf(name),
    report.source,
    report.of,
    report.class,
    report.at,
  );
}

/** The report of this source about this message, as it is kept. */
export const findReport = (
  sql: Sql,
  name: string,
  { source, of }: Pick<DeliveryReport, 'source' | 'of'>,
): Pick<DeliveryReport, 'class' | 'at'> | undefined =>
  first<{ class: DeliveryReport['class']; at: number }>(
    sql,
    'select class, at from delivery_report where address = ? and source = ? and of = ?',
    bytesOf(name),
    source,
    of,
  );

export const listReports = (sql: Sql, name: string): DeliveryReport[] =>
  sql
    .exec<{ source: string; of: string; class: DeliveryReport['class']; at: number }>(
      'select source, of, class, at from delivery_report where address = ? order by at',
      bytesOf(name),
    )
    .toArray();

export function deleteReports(sql: Sql, name: string, until: number): void {
  sql.exec('delete from delivery_report where address = ? and at <= ?', bytesOf(name), until);
}
