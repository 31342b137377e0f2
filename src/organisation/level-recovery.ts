import { faded } from '../domain/verification/first-state.ts';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  LIST_LEVELS,
  type Mailed,
  type OwnPart,
  type ReportGate,
} from '../domain/verification/history.ts';
import { decodeAddress, logOddsOf } from '../domain/verification/history-codec.ts';
import { LevelSums } from '../domain/verification/level-sums.ts';
import { isRefused } from '../domain/verification/level-update.ts';
import { dayOf } from '../domain/verification/report-gate.ts';
import type { LevelKind, LevelMemory } from './levels.ts';
import { listAddresses } from './sql/history.ts';
import type { Sql } from './sql/sql.ts';

/** Addresses that one step looks at: some milliseconds of the object's one thread. */
const READ_AT_ONCE = 200;

/** What levels are told beside the parts of their addresses. */
interface Marks {
  isReported: boolean;
  stoppedOn: number | null;
}
type Counts = { -readonly [K in keyof Mailed]: Mailed[K] };
const KINDS = ['domain', 'list'] as const;

/**
 * Adds up the levels that an object lost with its memory: those of each domain and list where an address has a part that is as young
 * as what was lost. They become the sum of their addresses' parts and of their rest, which is what they were. It does so in short steps, between which
 * requests change addresses.
 */
export class LevelRecovery {
  private readonly sql: Sql;
  private readonly levels: LevelMemory;
  private readonly gate: ReportGate;
  /** Parts that are older have reached their levels' rows. */
  private readonly since: number;
  /** The time that the levels are added up for. */
  private readonly at: number;
  private readonly wanted = { domain: new Map<string, Marks>(), list: new Map<string, Marks>() } as const;
  private readonly sums = { domain: new LevelSums(DOMAIN_LEVELS), list: new LevelSums(LIST_LEVELS) } as const;
  private readonly mailed = new Map<string, Counts>();
  private readonly steps: Iterator<void>;
  /** The last address that is counted. */
  private counted: string | null = null;

  constructor(sql: Sql, levels: LevelMemory, gate: ReportGate, since: number, at: number) {
    this.sql = sql;
    this.levels = levels;
    this.gate = gate;
    this.since = since;
    this.at = at;
    this.steps = this.work();
  }

  /** One step. True: it was the last, and the levels stand in memory. */
  step(): boolean {
    return this.steps.next().done === true;
  }

  /** An address has another part now. One that is still to be counted is counted as it is then. */
  change(name: string, address: AddressHistory, old: OwnPart | null, part: OwnPart | null): void {
    if (this.counted === null || name > this.counted) return;
    this.add(address, old, -1);
    this.add(address, part, 1);
  }

  private *work(): Iterator<void> {
    yield* this.pass((_, address) => this.want(address));
    if (this.wanted.domain.size === 0) return;
    yield* this.pass((name, address) => {
      this.add(address, address.part, 1);
      this.counted = name;
    });
    for (const kind of KINDS) for (const [name, marks] of this.wanted[kind]) this.restore(kind, name, marks);
  }

  private *pass(each: (name: string, address: AddressHistory) => void): Iterable<void> {
    for (let after: string | null | undefined = null; after !== undefined;) {
      const rows = listAddresses(this.sql, after, READ_AT_ONCE);
      for (const { name, state } of rows) {
        const address = decodeAddress(state);
        if (address !== null) each(name, address);
      }
      after = rows.length < READ_AT_ONCE ? undefined : rows.at(-1)?.name;
      if (after !== undefined) yield;
    }
  }

  private want(address: AddressHistory): void {
    const { part, reports, purpose, firstSeenAt } = address;
    if (part === null || part.at < this.since) return;
    const mailed = this.levels.read('domain', address.domain);
    const reaches = reports.map((report) => this.gate.reachOf(report, address, mailed, this.at));
    for (const kind of KINDS) {
      const name = address[kind];
      if (name === null) continue;
      const marks = this.wanted[kind].get(name) ?? { isReported: false, stoppedOn: null };
      marks.isReported ||= reaches.some((reach) => reach === 'all' || (reach === 'domain' && kind === 'domain'));
      if (kind === 'domain' && purpose === 'signup' && isRefused(address))
        marks.stoppedOn = Math.max(marks.stoppedOn ?? 0, dayOf(firstSeenAt));
      this.wanted[kind].set(name, marks);
    }
  }

  private add(address: AddressHistory, part: OwnPart | null, sign: 1 | -1): void {
    if (part === null) return;
    for (const kind of KINDS) {
      const name = address[kind];
      if (name === null || !this.wanted[kind].has(name)) continue;
      this.sums[kind].add(name, logOddsOf(part[kind]), sign * faded(kind, this.at - part.at));
    }
    if (part.counted === null || !this.wanted.domain.has(address.domain)) return;
    const mailed = this.mailed.get(address.domain) ?? { refused: 0, delivered: 0 };
    mailed[part.counted] += sign;
    this.mailed.set(address.domain, mailed);
  }

  private restore(kind: LevelKind, name: string, marks: Marks): void {
    const values = this.sums[kind].of(name);
    // All of its addresses are erased meanwhile: what they leave behind is in the row.
    if (values === null) return;
    const mailed = (kind === 'domain' ? this.mailed.get(name) : undefined) ?? { refused: 0, delivered: 0 };
    this.levels.restore(kind, name, {
      values,
      at: this.at,
      isReported: marks.isReported,
      stoppedOn: marks.stoppedOn,
      refused: mailed.refused,
      delivered: mailed.delivered,
    });
  }
}
