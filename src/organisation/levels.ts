import { faded } from '../domain/verification/first-state.ts';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type LevelRest,
  type Levels,
  type LevelUpdate,
  LIST_LEVELS,
  type Neighbours,
  type OwnPart,
  type ReportGate,
  type Sight,
} from '../domain/verification/history.ts';
import { decodeLevels, decodeRest, encodeLevels, encodeRest, logOddsOf } from '../domain/verification/history-codec.ts';
import { areAlike, areRestsAlike } from '../domain/verification/level-sweep.ts';
import { centred } from '../domain/verification/level-update.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { deleteHistory, findHistory, putHistory } from './sql/history.ts';
import { deleteRest, findRest, putRest } from './sql/level-rests.ts';
import type { Sql } from './sql/sql.ts';

/** Levels are written at most this often. */
export const WRITE_LEVELS_AFTER_MS = 5 * SECOND_MS;
/** Levels in memory beside those that are still to be written. */
const KEPT_MAX = 5_000;

/** Where the levels of an address stand. */
type Names = Pick<AddressHistory, 'domain' | 'list'>;
export type LevelKind = keyof Neighbours;
const COUNTS = { domain: DOMAIN_LEVELS, list: LIST_LEVELS } as const;

const keyOf = (kind: LevelKind, name: string): string => `${kind} ${name}`;

/** The levels of domains and lists. They change in memory with each address, and reach their rows together. */
export class LevelMemory {
  private readonly sql: Sql;
  private readonly by: LevelUpdate;
  private readonly known = new Map<string, Levels | null>();
  private readonly unwritten = new Map<string, readonly [kind: LevelKind, name: string]>();

  constructor(sql: Sql, by: LevelUpdate) {
    this.sql = sql;
    this.by = by;
  }

  /** The row of a domain's or a list's levels as it is now. */
  row(kind: LevelKind, name: string): ArrayBuffer | null {
    const levels = this.known.get(keyOf(kind, name));
    if (levels === undefined) return findHistory(this.sql, kind, name);
    return levels === null ? null : encodeLevels(levels);
  }

  /** True: levels have changed that are still to be written. */
  get isDirty(): boolean {
    return this.unwritten.size > 0;
  }

  /** The part that the address has by what is known of it now. Its levels have that part from now on. */
  learn(address: AddressHistory, now: number, sight: Pick<Sight, 'purpose' | 'at'>, gate: ReportGate): OwnPart | null {
    const { part, ...after } = this.by.learn(address, this.around(address), now, sight, gate);
    this.keep(address, after);
    return part;
  }

  /**
   * An address is erased. What it has shown of its domain and its list stays there until the next sweep, among what others have shown
   * and without a key of its own, so that no other address's number moves. What a domain shows by this address alone goes with it.
   * The rows are written at once: afterwards no part tells what was lost.
   */
  forget(address: AddressHistory, now: number): void {
    if (address.part === null) return;
    const around = this.around(address);
    const { domain } = this.by.shift(around, address.part, -1, now);
    const isAlone = domain !== null && isFlat(domain);
    if (isAlone) this.keep(address, { ...around, domain });
    for (const [kind, name] of namesOf(address)) {
      if (kind === 'domain' && isAlone) deleteRest(this.sql, kind, name);
      else this.leave(kind, name, address.part, now);
    }
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

  /** Takes what a sweep has found, where it is something else than what is kept. `rest`: null where the parts tell all of it. */
  adopt(kind: LevelKind, name: string, swept: Levels, rest: LevelRest | null): void {
    const restBefore = this.rest(kind, name);
    if (rest === null) {
      if (restBefore !== null) deleteRest(this.sql, kind, name);
    } else if (restBefore === null || !areRestsAlike(kind, restBefore, rest)) {
      putRest(this.sql, kind, name, encodeRest(rest));
    }
    const before = this.read(kind, name);
    if (before !== null && areAlike(kind, before, swept)) return;
    const levels = { ...swept, stoppedOn: Math.max(before?.stoppedOn ?? 0, swept.stoppedOn ?? 0) || null };
    const key = keyOf(kind, name);
    this.unwritten.delete(key);
    if (this.known.has(key)) this.known.set(key, levels);
    putHistory(this.sql, kind, name, encodeLevels(levels));
  }

  /** Nothing is known there any more. */
  drop(kind: LevelKind, name: string): void {
    const key = keyOf(kind, name);
    this.unwritten.delete(key);
    this.known.delete(key);
    deleteHistory(this.sql, kind, name);
    deleteRest(this.sql, kind, name);
  }

  /** Takes levels that were lost. `parts`: what the parts of all of its addresses add up to; marks are added to those that are kept. */
  restore(kind: LevelKind, name: string, parts: Omit<Levels, 'values'> & { readonly values: readonly number[] }): void {
    const before = this.read(kind, name);
    const rest = this.rest(kind, name);
    const fade = faded(kind, parts.at - (rest?.at ?? parts.at));
    const key = keyOf(kind, name);
    this.known.set(key, {
      values: centred(parts.values.map((value, at) => value + fade * (rest?.values[at] ?? 0))),
      at: parts.at,
      isReported: parts.isReported || (before?.isReported ?? false),
      stoppedOn: Math.max(before?.stoppedOn ?? 0, parts.stoppedOn ?? 0) || null,
      refused: Math.max(0, parts.refused + (rest?.refused ?? 0)),
      delivered: Math.max(0, parts.delivered + (rest?.delivered ?? 0)),
    });
    this.unwritten.set(key, [kind, name]);
  }

  /** The part of an erased address stays in its levels. */
  private leave(kind: LevelKind, name: string, part: OwnPart, now: number): void {
    const rest = this.rest(kind, name);
    const [fade, partFade] = [faded(kind, now - (rest?.at ?? now)), faded(kind, now - part.at)];
    const values = Float32Array.from(
      logOddsOf(part[kind]),
      (value, at) => partFade * value + fade * (rest?.values[at] ?? 0),
    );
    const counted = (of: 'refused' | 'delivered'): number => (rest?.[of] ?? 0) + (part.counted === of ? 1 : 0);
    const left = { values, at: now, refused: counted('refused'), delivered: counted('delivered') };
    putRest(this.sql, kind, name, encodeRest(left));
  }

  private rest(kind: LevelKind, name: string): LevelRest | null {
    const row = findRest(this.sql, kind, name);
    return row === null ? null : decodeRest(row, COUNTS[kind]);
  }

  private around(address: Names): Neighbours {
    return { domain: this.find('domain', address.domain), list: this.find('list', address.list) };
  }

  private find(kind: LevelKind, name: string | null): Levels | null {
    if (name === null) return null;
    const key = keyOf(kind, name);
    const levels = this.read(kind, name);
    this.known.set(key, levels);
    return levels;
  }

  /** The levels as they are now; null: none are known. */
  read(kind: LevelKind, name: string): Levels | null {
    const known = this.known.get(keyOf(kind, name));
    if (known !== undefined) return known;
    const row = findHistory(this.sql, kind, name);
    return row === null ? null : decodeLevels(row, COUNTS[kind]);
  }

  private keep(address: Names, after: Neighbours): void {
    for (const [kind, name] of namesOf(address)) {
      const key = keyOf(kind, name);
      if (after[kind] === this.known.get(key)) continue;
      this.known.set(key, after[kind]);
      this.unwritten.set(key, [kind, name]);
    }
  }
}

/** Levels that say nothing. Parts are kept in steps of 1/256, so what is less is rounding. */
const isFlat = ({ values }: Levels): boolean => values.every((value) => Math.abs(value) < 1 / 256);

const namesOf = ({ domain, list }: Names): readonly (readonly [LevelKind, string])[] =>
  list === null
    ? [['domain', domain]]
    : [
        ['domain', domain],
        ['list', list],
      ];
