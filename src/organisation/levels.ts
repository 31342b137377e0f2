import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type Levels,
  type LevelUpdate,
  LIST_LEVELS,
  type Neighbours,
  type OwnPart,
  type Sight,
} from '../domain/verification/history.ts';
import { decodeAddress, decodeLevels, encodeLevels } from '../domain/verification/history-codec.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { findHistory, listAddresses, putHistory } from './sql/history.ts';
import type { Sql } from './sql/sql.ts';

/** Levels are written at most this often. */
export const WRITE_LEVELS_AFTER_MS = 5 * SECOND_MS;
/** Addresses read at once while levels are added up again: a few milliseconds of the object's one thread. */
const READ_AT_ONCE = 2_000;
/** Levels in memory beside those that are still to be written. */
const KEPT_MAX = 5_000;

/** Where the levels of an address stand. */
type Names = Pick<AddressHistory, 'domain' | 'list'>;
type Kind = keyof Neighbours;
const COUNTS = { domain: DOMAIN_LEVELS, list: LIST_LEVELS } as const;

/** Levels that are added up again from the addresses' own parts, in slices. */
interface Recount {
  readonly wanted: ReadonlySet<string>;
  readonly sums: Map<string, Levels>;
  /** The last address that is counted. */
  done: string | null;
}

const keyOf = (kind: Kind, name: string): string => `${kind} ${name}`;

/**
 * The levels of domains and lists. They change in memory with each address, and reach their rows together. What an object loses
 * with its memory is added up again from the addresses.
 */
export class LevelMemory {
  private readonly sql: Sql;
  private readonly by: LevelUpdate;
  private readonly known = new Map<string, Levels | null>();
  private readonly unwritten = new Map<string, readonly [kind: Kind, name: string]>();
  private recount: Recount | null = null;

  constructor(sql: Sql, by: LevelUpdate) {
    this.sql = sql;
    this.by = by;
  }

  /** The row of a domain's or a list's levels as it is now. */
  row(kind: Kind, name: string): ArrayBuffer | null {
    const levels = this.known.get(keyOf(kind, name));
    if (levels === undefined) return findHistory(this.sql, kind, name);
    return levels === null ? null : encodeLevels(levels);
  }

  /** True: levels have changed that are still to be written. */
  get isDirty(): boolean {
    return this.unwritten.size > 0;
  }

  /** The part that the address has by what is known of it now. Its levels have that part from now on. */
  learn(name: string, address: AddressHistory, now: number, sight: Pick<Sight, 'purpose' | 'at'>): OwnPart | null {
    const { part, ...after } = this.by.learn(address, this.around(address), now, sight);
    this.keep(address, after);
    this.countAgain(name, address, address.part, part, now);
    return part;
  }

  /**
   * An address is erased. What it has shown of its domain and its list stays there, among what others have shown and without a key
   * of its own, so that no other address's number moves. What a domain shows by this address alone goes with it. The rows are
   * written at once: afterwards nothing tells what was lost.
   */
  forget(name: string, address: AddressHistory, now: number): void {
    if (address.part === null) return;
    const around = this.around(address);
    const { domain } = this.by.shift(around, address.part, -1, now);
    if (domain !== null && isFlat(domain)) this.keep(address, { ...around, domain });
    this.countAgain(name, address, address.part, null, now);
    this.write();
  }

  /** Call it in a transaction. */
  write(): void {
    for (const [key, [kind, name]] of this.unwritten) {
      const levels = this.known.get(key) ?? null;
      if (levels !== null) putHistory(this.sql, kind, name, encodeLevels(levels));
    }
    this.unwritten.clear();
    if (this.known.size > KEPT_MAX) this.known.clear();
  }

  /** Adds up again what addresses have changed since then. `rest` gives way to requests between slices. */
  async recover(since: number, now: () => number, rest: () => Promise<void>): Promise<void> {
    const wanted = new Set<string>();
    for (let after: string | null | undefined = null; after !== undefined; await rest()) {
      const rows = listAddresses(this.sql, after, READ_AT_ONCE);
      for (const { state } of rows) {
        const address = decodeAddress(state);
        if (!address?.part || address.part.at < since) continue;
        for (const [kind, name] of namesOf(address)) wanted.add(keyOf(kind, name));
      }
      after = rows.length < READ_AT_ONCE ? undefined : rows.at(-1)?.name;
    }
    if (wanted.size === 0) return;
    const recount: Recount = { wanted, sums: new Map(), done: null };
    this.recount = recount;
    for (let isWhole = false; !isWhole; await rest()) {
      const rows = listAddresses(this.sql, recount.done, READ_AT_ONCE);
      for (const { name, state } of rows) {
        const address = decodeAddress(state);
        if (address?.part) this.count(recount, address, address.part, 1, now());
        recount.done = name;
      }
      isWhole = rows.length < READ_AT_ONCE;
      if (isWhole) this.adopt(recount);
    }
  }

  private adopt({ wanted, sums }: Recount): void {
    this.recount = null;
    for (const key of wanted) {
      const [kind, name] = key.split(' ') as [Kind, string];
      this.known.set(key, withMarks(sums.get(key) ?? null, this.find(kind, name)));
      this.unwritten.set(key, [kind, name]);
    }
  }

  private around(address: Names): Neighbours {
    return { domain: this.find('domain', address.domain), list: this.find('list', address.list) };
  }

  private find(kind: Kind, name: string | null): Levels | null {
    if (name === null) return null;
    const key = keyOf(kind, name);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const row = findHistory(this.sql, kind, name);
    const levels = row === null ? null : decodeLevels(row, COUNTS[kind]);
    this.known.set(key, levels);
    return levels;
  }

  private keep(address: Names, after: Neighbours): void {
    for (const [kind, name] of namesOf(address)) {
      const key = keyOf(kind, name);
      if (after[kind] === this.known.get(key)) continue;
      this.known.set(key, after[kind]);
      this.unwritten.set(key, [kind, name]);
    }
  }

  /** An address that was counted before it changed is corrected; one that comes later is counted as it is then. */
  private countAgain(
    name: string,
    address: AddressHistory,
    old: OwnPart | null,
    part: OwnPart | null,
    now: number,
  ): void {
    const { recount } = this;
    if (recount === null || recount.done === null || name > recount.done) return;
    if (old !== null) this.count(recount, address, old, -1, now);
    if (part !== null) this.count(recount, address, part, 1, now);
  }

  private count({ wanted, sums }: Recount, address: Names, part: OwnPart, sign: 1 | -1, now: number): void {
    const wants = namesOf(address).filter(([kind, name]) => wanted.has(keyOf(kind, name)));
    if (wants.length === 0) return;
    const sumOf = (kind: Kind): Levels | null => {
      const name = address[kind];
      return name === null ? null : (sums.get(keyOf(kind, name)) ?? null);
    };
    const after = this.by.shift({ domain: sumOf('domain'), list: sumOf('list') }, part, sign, now);
    for (const [kind, name] of wants) {
      const levels = after[kind];
      if (levels !== null) sums.set(keyOf(kind, name), levels);
    }
  }
}

/** Levels that are added up again, with what their addresses' parts don't tell. */
const withMarks = (levels: Levels | null, before: Levels | null): Levels | null =>
  levels && { ...levels, isReported: before?.isReported ?? false, stoppedOn: before?.stoppedOn ?? null };

/** Levels that say nothing. Parts are kept in steps of 1/256, so what is less is rounding. */
const isFlat = ({ values }: Levels): boolean => values.every((value) => Math.abs(value) < 1 / 256);

const namesOf = ({ domain, list }: Names): readonly (readonly [Kind, string])[] =>
  list === null
    ? [['domain', domain]]
    : [
        ['domain', domain],
        ['list', list],
      ];
