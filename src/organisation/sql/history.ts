import type { Purpose } from '../../contract/vocabulary.ts';
import type { AddressFacts } from '../../domain/belief/facts.ts';
import {
  type Contribution,
  type DomainGroup,
  EFFECT_NAMES,
  type Effect,
  type Groups,
} from '../../domain/belief/groups.ts';
import type { HostClass } from '../../domain/belief/host-class.ts';
import type { ReportTally } from '../../domain/belief/trust.ts';
import { type ColumnsOf, first, type RowOf, type Sql, type SqlValue, selectList } from './sql.ts';

/** A row's name is 32 hex digits of a keyed hash, its key their bytes. */
export const bytesOf = (name: string): ArrayBuffer => Uint8Array.from(Buffer.from(name, 'hex')).buffer;
export const nameOf = (key: ArrayBuffer): string => Buffer.from(key).toString('hex');

/** Groups are stored twice while they are recomputed: each contribution and effect has a generation. */
export type Generation = 0 | 1;
export const otherThan = (generation: Generation): Generation => (generation === 0 ? 1 : 0);

/** The generation in force, whether addresses have changed since it was computed, and the sources' error rates. */
export interface HistoryState {
  readonly live: Generation;
  readonly isChanged: boolean;
  readonly errors: Readonly<Record<string, number>>;
}

export function readState(sql: Sql): HistoryState {
  const row = first<{ live: Generation; changed: number; errors: string }>(
    sql,
    'select live, changed, errors from history_state',
  );
  if (row === undefined) return { live: 0, isChanged: false, errors: {} };
  return { live: row.live, isChanged: row.changed === 1, errors: JSON.parse(row.errors) as Record<string, number> };
}

export function writeState(sql: Sql, { live, isChanged, errors }: HistoryState): void {
  sql.exec(
    `insert into history_state (one, live, changed, errors) values (0, ?, ?, ?)
     on conflict (one) do update set live = excluded.live, changed = excluded.changed, errors = excluded.errors`,
    live,
    isChanged ? 1 : 0,
    JSON.stringify(errors),
  );
}

export interface AddressRow {
  readonly name: string;
  readonly facts: AddressFacts;
  readonly contribution: Contribution | null;
}

/** One text, because an address's lists are read and written together. */
type Lists = Pick<AddressFacts, 'features' | 'answers' | 'reports' | 'proofs'>;

interface RawAddress {
  readonly name: ArrayBuffer;
  readonly first_seen_at: number;
  readonly host: HostClass;
  readonly purpose: Purpose;
  readonly domain: ArrayBuffer;
  readonly list: ArrayBuffer | null;
  readonly facts: string;
  readonly contribution: string | null;
  readonly [column: string]: SqlValue;
}

/** Unnamed fields: each address has two, and names would be a third of its row. */
type StoredContribution = [at: number, givenUp: number, isReported: boolean, ...effects: (readonly [number, number])[]];

const storedOf = (contribution: Contribution | null): string | null => {
  if (contribution === null) return null;
  const { at, givenUp, isReported, effects } = contribution;
  return JSON.stringify([
    at,
    givenUp,
    isReported,
    ...EFFECT_NAMES.map((name) => effects[name]),
  ] satisfies StoredContribution);
};

function contributionOf(stored: string | null): Contribution | null {
  if (stored === null) return null;
  const [at, givenUp, isReported, ...all] = JSON.parse(stored) as StoredContribution;
  const effects = Object.fromEntries(EFFECT_NAMES.map((name, place) => [name, all[place]])) as Contribution['effects'];
  return { at, givenUp, isReported, effects };
}

const selection = (of: Generation): string =>
  `select name, first_seen_at, host, purpose, domain, list, facts, contribution${of} as contribution from address_facts`;

const addressOf = ({ name, host, purpose, domain, list, facts, contribution, ...row }: RawAddress): AddressRow => ({
  name: nameOf(name),
  facts: {
    firstSeenAt: row.first_seen_at,
    host,
    purpose,
    domain: nameOf(domain),
    list: list && nameOf(list),
    ...(JSON.parse(facts) as Lists),
  },
  contribution: contributionOf(contribution),
});

export function findAddress(sql: Sql, live: Generation, name: string): AddressRow | null {
  const row = first<RawAddress>(sql, `${selection(live)} where name = ?`, bytesOf(name));
  return row === undefined ? null : addressOf(row);
}

/** An account that asks no provider and sends no reports has none. */
export const hasAddresses = (sql: Sql): boolean =>
  first(sql, 'select 1 as one from address_facts limit 1') !== undefined;

/** The initial list stays; the domain may have another name by now. */
export function putAddress(
  sql: Sql,
  live: Generation,
  { name, facts, contribution }: AddressRow,
  newest: number,
): void {
  const { firstSeenAt, host, purpose, domain, list, ...lists } = facts;
  sql.exec(
    `insert into address_facts
       (name, first_seen_at, host, purpose, domain, list, facts, newest, contribution${live})
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (name) do update set first_seen_at = excluded.first_seen_at, domain = excluded.domain, facts = excluded.facts,
       newest = excluded.newest, contribution${live} = excluded.contribution${live}`,
    bytesOf(name),
    firstSeenAt,
    host,
    purpose,
    bytesOf(domain),
    list === null ? null : bytesOf(list),
    JSON.stringify(lists satisfies Lists),
    newest,
    storedOf(contribution),
  );
}

export function putContribution(sql: Sql, of: Generation, name: string, contribution: Contribution | null): void {
  sql.exec(`update address_facts set contribution${of} = ? where name = ?`, storedOf(contribution), bytesOf(name));
}

export function deleteAddress(sql: Sql, name: string): void {
  sql.exec('delete from address_facts where name = ?', bytesOf(name));
}

/** The next addresses in key order. */
export const listAddresses = (sql: Sql, live: Generation, after: string | null, limit: number): AddressRow[] =>
  sql
    .exec<RawAddress>(`${selection(live)} where name > ? order by name limit ?`, bytesOf(after ?? ''), limit)
    .toArray()
    .map(addressOf);

/** The next addresses with the time of their newest fact. */
export const listNewest = (
  sql: Sql,
  after: string | null,
  limit: number,
): { readonly name: string; readonly newest: number }[] =>
  sql
    .exec<{ name: ArrayBuffer; newest: number }>(
      'select name, newest from address_facts where name > ? order by name limit ?',
      bytesOf(after ?? ''),
      limit,
    )
    .toArray()
    .map(({ name, newest }) => ({ name: nameOf(name), newest }));

/** The account's own two are one row: they are read and written together. */
export interface GroupStates {
  readonly domain: DomainGroup;
  readonly list: Effect;
  readonly account: Pick<Groups, 'account' | 'catchAlls'>;
}
export type GroupKind = keyof GroupStates;

export type GroupRow = {
  readonly [K in GroupKind]: {
    readonly of: Generation;
    readonly kind: K;
    readonly name: string;
    readonly state: GroupStates[K];
  };
}[GroupKind];

export function findGroup<K extends GroupKind>(sql: Sql, of: Generation, kind: K, name: string): GroupStates[K] | null {
  const row = first<{ state: string }>(
    sql,
    'select state from group_effect where generation = ? and kind = ? and name = ?',
    of,
    kind,
    bytesOf(name),
  );
  return row === undefined ? null : (JSON.parse(row.state) as GroupStates[K]);
}

/** Gives a group's states another name, unless that has states of its own: the next recomputation joins them. */
export function renameGroup(sql: Sql, kind: GroupKind, oldName: string, name: string): void {
  sql.exec(
    'update or ignore group_effect set name = ? where generation in (0, 1) and kind = ? and name = ?',
    bytesOf(name),
    kind,
    bytesOf(oldName),
  );
}

export function putGroup(sql: Sql, { of, kind, name, state }: GroupRow): void {
  sql.exec(
    `insert into group_effect (generation, kind, name, state) values (?, ?, ?, ?)
     on conflict (generation, kind, name) do update set state = excluded.state`,
    of,
    kind,
    bytesOf(name),
    JSON.stringify(state),
  );
}

/** Removes up to `limit` groups of a generation. True: none is left. */
export function deleteGroups(sql: Sql, of: Generation, limit: number): boolean {
  const rows = sql
    .exec<{ kind: GroupKind; name: ArrayBuffer }>(
      'select kind, name from group_effect where generation = ? limit ?',
      of,
      limit,
    )
    .toArray();
  for (const { kind, name } of rows)
    sql.exec('delete from group_effect where generation = ? and kind = ? and name = ?', of, kind, name);
  return rows.length < limit;
}

const TALLY: ColumnsOf<ReportTally> = {
  source: 'source',
  host: 'host',
  period: 'period',
  delivered: 'delivered',
  refused: 'refused',
};

export const listTallies = (sql: Sql): ReportTally[] =>
  sql.exec<RowOf<ReportTally>>(`select ${selectList(TALLY)} from report_tally`).toArray();

export function addTally(sql: Sql, { source, host, period, delivered, refused }: ReportTally): void {
  sql.exec(
    `insert into report_tally (source, host, period, delivered, refused) values (?, ?, ?, ?, ?)
     on conflict (source, host, period) do update set
       delivered = delivered + excluded.delivered, refused = refused + excluded.refused`,
    source,
    host,
    period,
    delivered,
    refused,
  );
}

export function deleteTalliesBefore(sql: Sql, period: number): void {
  sql.exec('delete from report_tally where period < ?', period);
}
