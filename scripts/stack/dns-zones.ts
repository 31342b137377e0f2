import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';

/** A record of a local zone, without its name and TTL. */
export type ZoneRecord =
  | { readonly type: 'MX'; readonly preference: number; readonly exchange: string }
  | { readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT'; readonly data: string };

/** What the local zones know about a name. */
export interface ZoneName {
  readonly ttlS: number;
  readonly records: readonly ZoneRecord[];
  /** Answered in place of records. `silent` never answers. */
  readonly fails?: 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silent' | 'malformed';
  readonly delayMs?: number;
}

/** A zone; null for a name it does not contain. Names are in lower case, without the final dot. */
export type Zone = (name: string) => ZoneName | null;

/** MX records written as `"10 mx1.example, 20 mx2.example"`; preference and host as in a zone file, `.` is the root. */
export const mx = (hosts: string): ZoneRecord[] =>
  hosts.split(', ').map((host) => {
    const [preference = '', exchange = ''] = host.split(' ');
    return { type: 'MX', preference: Number(preference), exchange };
  });
export const a = (...addresses: readonly string[]): ZoneRecord[] => addresses.map((data) => ({ type: 'A', data }));

/** A row of a zone's file. Cells that don't apply are empty. */
interface ZoneRow extends Readonly<Record<'mx' | 'a' | 'aaaa' | 'txt' | 'cname' | 'delayMs' | 'ttlS', string>> {
  /** Names with the same records, separated by spaces; a leading `*.` stands for any labels. */
  readonly names: string;
  readonly fails: NonNullable<ZoneName['fails']> | '';
  /** What the name is an example of. */
  readonly shows: string;
}

const rowsOf = (file: string): ZoneRow[] => {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  return Papa.parse<ZoneRow>(text, { header: true, skipEmptyLines: true, delimiter: ',' }).data;
};

const recordsOf = (row: ZoneRow): ZoneRecord[] => [
  ...(row.mx ? mx(row.mx) : []),
  ...(row.a ? a(row.a) : []),
  ...(row.aaaa ? [{ type: 'AAAA', data: row.aaaa } as const] : []),
  ...(row.txt ? [{ type: 'TXT', data: row.txt } as const] : []),
  ...(row.cname ? [{ type: 'CNAME', data: row.cname } as const] : []),
];

const TTL_S = 300;

/**
 * The test zone: names under `.test` (reserved by RFC 2606) for everything DNS can say about a mail domain. Always
 * answered locally. Addresses are of the documentation ranges (RFC 5737, RFC 3849). An unlisted name under `.test` does
 * not exist (NXDOMAIN).
 */
export const TEST_NAMES = rowsOf('test-zone.csv');

const LISTED = new Map(TEST_NAMES.map((row) => [row.names, row]));

function find(name: string): ZoneRow | undefined {
  const exact = LISTED.get(name);
  if (exact) return exact;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const wildcard = LISTED.get(`*${name.slice(dot)}`);
    if (wildcard) return wildcard;
  }
  return undefined;
}

export const testZone: Zone = (name) => {
  if (name !== 'test' && !name.endsWith('.test')) return null;
  const row = find(name);
  if (row === undefined) return { ttlS: TTL_S, records: [], fails: 'NXDOMAIN' };
  const { fails, delayMs, ttlS } = row;
  return {
    ttlS: Number(ttlS || TTL_S),
    records: recordsOf(row),
    ...(fails && { fails }),
    ...(delayMs && { delayMs: Number(delayMs) }),
  };
};

/**
 * The large mailbox hosts and some well-known companies as in public DNS (late 2026), for when no public resolver is
 * reachable. A stand-in, not a source: hosts move, and addresses rotate (each only shows that the name has one). An
 * unlisted name is not answered at all.
 */
const PUBLIC_ROWS = rowsOf('public-zone.csv');

const PUBLIC = new Map(
  PUBLIC_ROWS.flatMap((row) => row.names.split(' ').map((name) => [name, recordsOf(row)] as const)),
);

export const PUBLIC_NAMES: readonly string[] = [...PUBLIC.keys()];

/** The hosts named above that have no row of their own: each has the address of the first domain that names it. */
const HOSTS = new Map(
  PUBLIC_ROWS.flatMap((row) =>
    mx(row.mx).flatMap((record) => (record.type === 'MX' ? [[record.exchange, a(row.a)] as const] : [])),
  ).reverse(),
);

export const publicZone: Zone = (name) => {
  const records = PUBLIC.get(name) ?? HOSTS.get(name);
  return records ? { ttlS: TTL_S, records } : null;
};
