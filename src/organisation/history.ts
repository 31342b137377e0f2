import QuickLRU from 'quick-lru';
import type { Purpose } from '../contract/vocabulary.ts';
import type { AddressHistory, DeliveryReport, Learnt, LevelUpdate, OwnPart } from '../domain/verification/history.ts';
import { decodeAddress, encodeAddress, listIn, newestAt } from '../domain/verification/history-codec.ts';
import {
  isInTime,
  KEPT_MS,
  listOfCalls,
  rowName,
  sourceTag,
  withLearnt,
} from '../domain/verification/history-merge.ts';
import type { HostClass } from '../domain/verification/host-class.ts';
import { dayOf, ReportTallies, sayingOf } from '../domain/verification/report-gate.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type {
  AddressKept,
  EncodedHistory,
  HistoryProbe,
  HistorySample,
  HistorySlice,
  SampledHistory,
  TrimmedHistory,
} from './calls.ts';
import { HistorySweep } from './history-sweep.ts';
import { LevelRecovery } from './level-recovery.ts';
import { LevelMemory } from './levels.ts';
import {
  deleteHistory,
  deleteReports,
  findHistory,
  findReport,
  hasHistory,
  listAddresses,
  listReports,
  putHistory,
  putReport,
} from './sql/history.ts';
import { addTally, deleteTalliesBefore, listTallies } from './sql/report-tallies.ts';
import type { Sql } from './sql/sql.ts';

/** Addresses looked at in one call of the night: a few milliseconds of the object's one thread. */
const TRIMMED_AT_ONCE = 2_000;

/** Addresses read in one call for a fit: half a megabyte with their levels. */
const SAMPLED_AT_ONCE = 1_000;

/** A key's calls for a purpose are a list: as many are remembered by their names, since a hash takes as long as several statements. */
const LISTS_KEPT = 1_000;

const NOTHING_KNOWN: EncodedHistory = { address: null, domain: null, list: null };

/** What the account knows of addresses, domains and lists. Call it within the transaction of what brought the news. */
export class History {
  readonly levels: LevelMemory;
  private readonly sql: Sql;
  private readonly by: LevelUpdate;
  /** Read with the first that is learnt. */
  private tallies: ReportTallies | null = null;
  private sweep: HistorySweep | null = null;
  private recovery: LevelRecovery | null = null;
  private lostAfter: number | null = null;
  private readonly lists = new QuickLRU<string, string>({ maxSize: LISTS_KEPT });
  private changed = false;
  /** Null: still to be found out. Once the last of it was erased, look-ups find nothing. */
  private isEmpty: boolean | null = null;

  constructor(sql: Sql, by: LevelUpdate) {
    this.sql = sql;
    this.by = by;
    this.levels = new LevelMemory(sql, by);
  }

  /** True: addresses have come, changed or gone since the last sweep began. False after a restart. */
  get isUnswept(): boolean {
    return this.changed;
  }

  /** The rows about an address, as they are kept. `keyId`: whose calls are the list where the probe names no other. */
  known(addressHash: string, probe: HistoryProbe, keyId: string): EncodedHistory {
    this.isEmpty ??= !hasHistory(this.sql);
    if (this.isEmpty) return NOTHING_KNOWN;
    const list = 'list' in probe ? probe.list : this.callsOf(keyId, probe.purpose);
    const address = findHistory(this.sql, 'address', rowName(addressHash));
    const own = address === null ? null : listIn(address);
    const ownList = own === null || own === list ? null : this.levels.row('list', own);
    return {
      address,
      domain: this.levels.row('domain', probe.domain),
      list: this.levels.row('list', list),
      ...(ownList && { ownList }),
    };
  }

  private callsOf(keyId: string, purpose: Purpose): string {
    const of = `${keyId} ${purpose}`;
    const list = this.lists.get(of) ?? listOfCalls(keyId, purpose);
    this.lists.set(of, list);
    return list;
  }

  /** Enters what is new; a repeat changes nothing. False: nothing was new, or can be entered. */
  learn(learnt: Learnt, now: number): boolean {
    const { sight, report, proof } = learnt;
    const isReported = report !== null && isInTime(report.at, now);
    const isProved = proof !== null && isInTime(proof.at, now);
    if (learnt.answers.length === 0 && !isReported && !isProved) return false;
    const row = findHistory(this.sql, 'address', sight.address);
    const known = row === null ? null : decodeAddress(row);
    // A row that can't be read is not changed.
    if (row !== null && known === null) return false;
    if (isReported) this.enter(sight.address, known?.host ?? sight.host, report);
    const reports = isReported ? listReports(this.sql, sight.address).filter(({ at }) => isInTime(at, now)) : null;
    const news = { ...learnt, proof: isProved ? proof : null };
    const merged = withLearnt(known, news, reports);
    if (row !== null && isSame(row, encodeAddress(merged))) return false;
    this.isEmpty = false;
    const part = this.levels.learn(merged, now, sight, this.gate());
    putHistory(this.sql, 'address', sight.address, encodeAddress({ ...merged, part }));
    this.note(sight.address, merged, part);
    return true;
  }

  private gate(): ReportTallies {
    this.tallies ??= new ReportTallies(listTallies(this.sql));
    return this.tallies;
  }

  /** Keeps a report, and counts it among those of its source, host and day in place of what was there of the same message. */
  private enter(name: string, host: HostClass, report: DeliveryReport): void {
    const before = findReport(this.sql, name, report);
    if (before !== undefined && (before.at > report.at || (before.at === report.at && before.class === report.class)))
      return;
    putReport(this.sql, name, report);
    const source = sourceTag(report.source);
    const count = (of: Pick<DeliveryReport, 'class' | 'at'>, by: 1 | -1): void => {
      const saying = sayingOf(of);
      if (saying === null) return;
      const tally = { source, host, day: dayOf(of.at), delivered: 0, refused: 0, [saying]: by };
      this.gate().add(tally);
      addTally(this.sql, tally);
    };
    if (before !== undefined) count(before, -1);
    count(report, 1);
  }

  /** All that is known of an address itself. */
  about(addressHash: string): Pick<AddressKept, 'history' | 'reports'> {
    const name = rowName(addressHash);
    const row = findHistory(this.sql, 'address', name);
    return { history: row, reports: listReports(this.sql, name) };
  }

  /** Takes an address out of all that its history has entered, and tells how much that was. */
  forget(addressHash: string, now: number): { readonly histories: number; readonly reports: number } {
    const name = rowName(addressHash);
    const row = findHistory(this.sql, 'address', name);
    const reports = listReports(this.sql, name).length;
    if (row !== null) this.remove(name, decodeAddress(row), now);
    deleteReports(this.sql, name, Number.MAX_SAFE_INTEGER);
    return { histories: row === null ? 0 : 1, reports };
  }

  /** A step of the sweep that defines the levels; the first one begins it. True: it was the last. */
  sweepOn(now: number): boolean {
    if (this.sweep === null) this.changed = false;
    const sweep = this.sweep ?? new HistorySweep(this.sql, this.by, this.gate(), this.levels, now);
    // A step that throws is not gone on with.
    this.sweep = null;
    const isWhole = sweep.step();
    if (!isWhole) this.sweep = sweep;
    return isWhole;
  }

  /** The object ended before it had written levels: those of addresses that have changed since then are added up again. */
  lost(since: number): void {
    this.lostAfter = since;
  }

  /** Levels are lost that are still to be added up. */
  get hasLost(): boolean {
    return this.lostAfter !== null;
  }

  /** A step in adding up lost levels. True: none are lost any more. */
  recoverOn(now: number): boolean {
    if (this.lostAfter === null) return true;
    const recovery = this.recovery ?? new LevelRecovery(this.sql, this.levels, this.gate(), this.lostAfter, now);
    // A step that throws is not gone on with.
    this.recovery = null;
    const isWhole = recovery.step();
    if (isWhole) this.lostAfter = null;
    else this.recovery = recovery;
    return isWhole;
  }

  /**
   * A slice of the night's pass: removes addresses without anything new since `before`, and tells of the others on which day
   * the newest came. The levels lose them with the next sweep.
   */
  trim({ after, before }: HistorySlice, now: number): TrimmedHistory {
    const rows = listAddresses(this.sql, after, TRIMMED_AT_ONCE);
    const days: Record<number, number> = {};
    for (const { name, state } of rows) {
      const newest = newestAt(state);
      if (newest !== null && newest < before) {
        deleteHistory(this.sql, 'address', name);
        deleteReports(this.sql, name, Number.MAX_SAFE_INTEGER);
        this.changed = true;
      } else {
        const day = Math.floor((newest ?? now) / DAY_MS);
        days[day] = (days[day] ?? 0) + 1;
      }
    }
    const next = rows.length < TRIMMED_AT_ONCE ? null : (rows.at(-1)?.name ?? null);
    if (next === null) deleteTalliesBefore(this.sql, dayOf(now - KEPT_MS));
    return { next, days };
  }

  /** Reads addresses with the levels around them. A row that cannot be read is left out. */
  sample({ after, limit }: HistorySample): SampledHistory {
    const rows = listAddresses(this.sql, after, Math.min(limit, SAMPLED_AT_ONCE));
    const domains: Record<string, ArrayBuffer> = {};
    const lists: Record<string, ArrayBuffer> = {};
    const addresses = rows.flatMap(({ name, state }) => {
      const address = decodeAddress(state);
      if (address === null) return [];
      const [domain, list] = [this.levels.row('domain', address.domain), this.levels.row('list', address.list ?? '')];
      if (domain !== null) domains[address.domain] = domain;
      if (list !== null && address.list !== null) lists[address.list] = list;
      return [{ name, row: state }];
    });
    const next = rows.length < Math.min(limit, SAMPLED_AT_ONCE) ? null : (rows.at(-1)?.name ?? null);
    return { addresses, domains, lists, next };
  }

  private remove(name: string, address: AddressHistory | null, now: number): void {
    deleteHistory(this.sql, 'address', name);
    if (address === null) return;
    this.levels.forget(address, now);
    this.note(name, address, null);
  }

  private note(name: string, before: AddressHistory, part: OwnPart | null): void {
    this.changed = true;
    this.sweep?.change(name, before, before.part, part);
    this.recovery?.change(name, before, before.part, part);
  }
}

const isSame = (one: ArrayBuffer, other: ArrayBuffer): boolean => Buffer.from(one).equals(Buffer.from(other));
