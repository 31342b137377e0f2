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
import { type Clause, type ColumnsOf, raw, selectList, type Sql } from './sql.ts';

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
  const row = sql.first<{ live: Generation; changed: number; errors: string }>`
    select live, changed, errors from history_state`;
  if (row === undefined) return { live: 0, isChanged: false, errors: {} };
  return { live: row.live, isChanged: row.changed === 1, errors: JSON.parse(row.errors) as Record<string, number> };
}

export function writeState(sql: Sql, { live, isChanged, errors }: HistoryState): void {
  sql.run`
    insert into history_state (one, live, changed, errors)
    values (0, ${live}, ${isChanged ? 1 : 0}, ${JSON.stringify(errors)})
    on conflict (one) do update set live = excluded.live, changed = excluded.changed, errors = excluded.errors`;
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

const selection = (of: Generation): Clause =>
  raw(
    `select name, first_seen_at, host, purpose, domain, list, facts, contribution${of} as contribution
     from address_facts`,
  );

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
  const row = sql.first<RawAddress>`${selection(live)} where name = ${bytesOf(name)}`;
  return row === undefined ? null : addressOf(row);
}

/** An account that asks no provider and sends no reports has none. */
export const hasAddresses = (sql: Sql): boolean => sql.first`select 1 as one from address_facts limit 1` !== undefined;

/** The initial list stays; the domain may have another name by now. */
export function putAddress(
  sql: Sql,
  live: Generation,
  { name, facts, contribution }: AddressRow,
  newest: number,
): void {
  const { firstSeenAt, host, purpose, domain, list, ...lists } = facts;
  const own = raw(`contribution${live}`);
  sql.run`
    insert into address_facts (name, first_seen_at, host, purpose, domain, list, facts, newest, ${own})
    values (${bytesOf(name)}, ${firstSeenAt}, ${host}, ${purpose}, ${bytesOf(domain)}, ${list && bytesOf(list)},
      ${JSON.stringify(lists satisfies Lists)}, ${newest}, ${storedOf(contribution)})
    on conflict (name) do update set first_seen_at = excluded.first_seen_at, domain = excluded.domain,
      facts = excluded.facts, newest = excluded.newest, ${own} = excluded.${own}`;
}

export function putContribution(sql: Sql, of: Generation, name: string, contribution: Contribution | null): void {
  sql.run`update address_facts set contribution${raw(of)} = ${storedOf(contribution)} where name = ${bytesOf(name)}`;
}

export function deleteAddress(sql: Sql, name: string): void {
  sql.run`delete from address_facts where name = ${bytesOf(name)}`;
}

/** The next addresses in key order. */
export const listAddresses = (sql: Sql, live: Generation, after: string | null, limit: number): AddressRow[] =>
  sql.all<RawAddress>`${selection(live)} where name > ${bytesOf(after ?? '')} order by name limit ${limit}`.map(
    addressOf,
  );

/** The next addresses with the time of their newest fact. */
export const listNewest = (
  sql: Sql,
  after: string | null,
  limit: number,
): { readonly name: string; readonly newest: number }[] =>
  sql.all<{ name: ArrayBuffer; newest: number }>`
    select name, newest from address_facts where name > ${bytesOf(after ?? '')} order by name limit ${limit}`.map(
    ({ name, newest }) => ({ name: nameOf(name), newest }),
  );

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
  const row = sql.first<{ state: string }>`
    select state from group_effect where generation = ${of} and kind = ${kind} and name = ${bytesOf(name)}`;
  return row === undefined ? null : (JSON.parse(row.state) as GroupStates[K]);
}

/** Gives a group's states another name, unless that has states of its own: the next recomputation joins them. */
export function renameGroup(sql: Sql, kind: GroupKind, oldName: string, name: string): void {
  sql.run`
    update or ignore group_effect set name = ${bytesOf(name)}
    where generation in (0, 1) and kind = ${kind} and name = ${bytesOf(oldName)}`;
}

export function putGroup(sql: Sql, { of, kind, name, state }: GroupRow): void {
  sql.run`
    insert into group_effect (generation, kind, name, state)
    values (${of}, ${kind}, ${bytesOf(name)}, ${JSON.stringify(state)})
    on conflict (generation, kind, name) do update set state = excluded.state`;
}

/** Removes up to `limit` groups of a generation. True: none is left. */
export function deleteGroups(sql: Sql, of: Generation, limit: number): boolean {
  const rows = sql.all<{ kind: GroupKind; name: ArrayBuffer }>`
    select kind, name from group_effect where generation = ${of} limit ${limit}`;
  for (const { kind, name } of rows)
    sql.run`delete from group_effect where generation = ${of} and kind = ${kind} and name = ${name}`;
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
  sql.all<ReportTally>`select ${selectList(TALLY)} from report_tally`;

export function addTally(sql: Sql, { source, host, period, delivered, refused }: ReportTally): void {
  sql.run`
    insert into report_tally (source, host, period, delivered, refused)
    values (${source}, ${host}, ${period}, ${delivered}, ${refused})
    on conflict (source, host, period) do update set
      delivered = delivered + excluded.delivered, refused = refused + excluded.refused`;
}

export function deleteTalliesBefore(sql: Sql, period: number): void {
  sql.run`delete from report_tally where period < ${period}`;
}
