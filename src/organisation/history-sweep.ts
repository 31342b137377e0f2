import type { AddressHistory, LevelUpdate, OwnPart, ReportGate } from '../domain/verification/history.ts';
import { decodeAddress, encodeAddress } from '../domain/verification/history-codec.ts';
import { keptPart, LevelSweep } from '../domain/verification/level-sweep.ts';
import type { LevelKind, LevelMemory } from './levels.ts';
import { countHistory, listAddressesAmong, listNames, putHistory } from './sql/history.ts';
import type { Sql } from './sql/sql.ts';

/** Addresses, or levels, that one step looks at: some milliseconds of the object's one thread. */
const SWEPT_AT_ONCE = 200;
/** Domains whose levels are in memory at once: about 12 MB. */
const DOMAINS_AT_ONCE = 50_000;
/** Names begin with two bytes that say which group they are of. */
const PREFIXES = 2 ** 16;

/** The names from one pair of first bytes up to, but not with, another. */
interface Range {
  readonly from: number;
  readonly to: number;
}
const ALL: Range = { from: 0, to: PREFIXES };

const isBelow = (name: string, prefix: number): boolean => Number.parseInt(name.slice(0, 4), 16) < prefix;

/**
 * Works the levels of all domains and lists out again from the addresses, and each address's part in them. It does so in short
 * steps, between which requests change addresses. Only rows that are off are written. What is lost with the object's memory is begun
 * again.
 */
export class HistorySweep {
  private readonly sql: Sql;
  private readonly levels: LevelMemory;
  private readonly sums: LevelSweep;
  private readonly domainsAtOnce: number;
  private readonly steps: Iterator<void>;
  /** Of these domains all addresses are taken. */
  private taken: Range = { from: 0, to: 0 };
  /** Of these domains those up to a name are. */
  private taking: { readonly range: Range; name: string } | null = null;

  constructor(
    sql: Sql,
    by: LevelUpdate,
    gate: ReportGate,
    levels: LevelMemory,
    now: number,
    domainsAtOnce = DOMAINS_AT_ONCE,
  ) {
    this.sql = sql;
    this.levels = levels;
    this.domainsAtOnce = domainsAtOnce;
    this.sums = new LevelSweep(by, now, gate);
    this.steps = this.work();
  }

  /** One step, in a transaction of its own. True: it was the last. */
  step(): boolean {
    return this.steps.next().done === true;
  }

  /** An address has another part now. One that is still to be taken is taken as it is then. */
  change(name: string, address: AddressHistory, old: OwnPart | null, part: OwnPart | null): void {
    if (this.isTaken(name, address.domain)) this.sums.change(address, old, part);
  }

  private isTaken(name: string, domain: string): boolean {
    if (isBelow(domain, this.taken.to)) return true;
    return this.taking !== null && isBelow(domain, this.taking.range.to) && name <= this.taking.name;
  }

  private *work(): Iterator<void> {
    const groups = Math.max(1, Math.ceil(countHistory(this.sql, 'domain') / this.domainsAtOnce));
    const startOf = (group: number): number => Math.ceil((group * PREFIXES) / groups);
    const ranges = Array.from({ length: groups }, (_, at): Range => ({ from: startOf(at), to: startOf(at + 1) }));
    for (const range of ranges) {
      yield* this.noteAll(range);
      yield* this.pass(range, (name, address) => this.sums.addToList(name, address));
    }
    for (const range of ranges) {
      yield* this.noteAll(range);
      yield* this.pass(range, (name, address) => this.sums.addToDomain(name, address));
      const taking = { range, name: '' };
      this.taking = taking;
      yield* this.pass(range, (name, address) => {
        this.take(name, address);
        taking.name = name;
      });
      this.taken = { from: 0, to: range.to };
      yield* this.adopt('domain', range);
    }
    yield* this.adopt('list', ALL);
  }

  private *noteAll(range: Range): Iterable<void> {
    this.sums.begin();
    yield* this.pass(range, (name, address) => this.sums.note(name, address));
  }

  /** All addresses of these domains, in the order of their names. */
  private *pass(range: Range, each: (name: string, address: AddressHistory) => void): Iterable<void> {
    for (let after: string | null | undefined = null; after !== undefined;) {
      const rows = listAddressesAmong(this.sql, range, after, SWEPT_AT_ONCE);
      for (const { name, state } of rows) {
        const address = decodeAddress(state);
        if (address !== null) each(name, address);
      }
      after = rows.length < SWEPT_AT_ONCE ? undefined : rows.at(-1)?.name;
      if (after !== undefined) yield;
    }
  }

  private take(name: string, address: AddressHistory): void {
    const part = keptPart(address.part, this.sums.take(name, address), this.sums.at);
    this.sums.keep(address, part);
    if (part !== address.part) putHistory(this.sql, 'address', name, encodeAddress({ ...address, part }));
  }

  /** Has the levels of these names say what was found, and no others be there. */
  private *adopt(kind: LevelKind, range: Range): Iterable<void> {
    let seen = 0;
    for (const name of this.sums.names(kind)) {
      const swept = this.sums.levels(kind, name);
      if (swept !== null) this.levels.adopt(kind, name, swept, this.sums.rest(kind, name));
      seen += 1;
      if (seen % SWEPT_AT_ONCE === 0) yield;
    }
    const isKnown = new Set(this.sums.names(kind));
    for (let after: string | null | undefined = null; after !== undefined;) {
      const names = listNames(this.sql, kind, range, after, SWEPT_AT_ONCE);
      for (const name of names) if (!isKnown.has(name)) this.levels.drop(kind, name);
      after = names.length < SWEPT_AT_ONCE ? undefined : names.at(-1);
      if (after !== undefined) yield;
    }
  }
}
