import type { AddressHistory, Learnt, LevelUpdate } from '../domain/verification/history.ts';
import { decodeAddress, encodeAddress, levelsOlderThan, newestAt } from '../domain/verification/history-codec.ts';
import { isInTime, KEPT_MS, listOfCalls, rowName, withLearnt } from '../domain/verification/history-merge.ts';
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
import { LevelMemory } from './levels.ts';
import {
  deleteHistory,
  deleteLevelsBelow,
  deleteReports,
  findHistory,
  listAddresses,
  listReports,
  putHistory,
  putReport,
} from './sql/history.ts';
import type { Sql } from './sql/sql.ts';

/** Addresses looked at in one call of the night: a few milliseconds of the object's one thread. */
const TRIMMED_AT_ONCE = 2_000;

/** Addresses read in one call for a fit: half a megabyte with their levels. */
const SAMPLED_AT_ONCE = 1_000;

/** What the account knows of addresses, domains and lists. Call it within the transaction of what brought the news. */
export class History {
  readonly levels: LevelMemory;
  private readonly sql: Sql;

  constructor(sql: Sql, by: LevelUpdate) {
    this.sql = sql;
    this.levels = new LevelMemory(sql, by);
  }

  /** The three rows about an address, as they are kept. `keyId`: whose calls are the list where the probe names no other. */
  known(addressHash: string, probe: HistoryProbe, keyId: string): EncodedHistory {
    const list = 'list' in probe ? probe.list : listOfCalls(keyId, probe.purpose);
    return {
      address: findHistory(this.sql, 'address', rowName(addressHash)),
      domain: this.levels.row('domain', probe.domain),
      list: this.levels.row('list', list),
    };
  }

  /** Enters what is new; a repeat changes nothing. False: nothing was new, or can be entered. */
  learn(learnt: Learnt, now: number): boolean {
    const { sight, report, proof } = learnt;
    const isReported = report !== null && isInTime(report.at, now);
    const isProved = proof !== null && isInTime(proof.at, now);
    if (learnt.answers.length === 0 && !isReported && !isProved) return false;
    const row = findHistory(this.sql, 'address', sight.address);
    const known = row === null ? null : decodeAddress(row);
    // A later release wrote it: its history is not for this one to change.
    if (row !== null && known === null) return false;
    if (isReported) putReport(this.sql, sight.address, report);
    const reports = isReported ? listReports(this.sql, sight.address).filter(({ at }) => isInTime(at, now)) : null;
    const news = { ...learnt, proof: isProved ? proof : null };
    const merged = withLearnt(known, news, reports);
    if (row !== null && isSame(row, encodeAddress(merged))) return false;
    const part = this.levels.learn(sight.address, merged, now, sight);
    putHistory(this.sql, 'address', sight.address, encodeAddress({ ...merged, part }));
    return true;
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

  /**
   * A slice of the night's pass: removes addresses without anything new since `before`, and tells of the others on which day
   * the newest came. The levels keep what such an address has shown: they fade by themselves.
   */
  trim({ after, before }: HistorySlice, now: number): TrimmedHistory {
    const rows = listAddresses(this.sql, after, TRIMMED_AT_ONCE);
    const days: Record<number, number> = {};
    for (const { name, state } of rows) {
      const newest = newestAt(state);
      if (newest !== null && newest < before) {
        deleteHistory(this.sql, 'address', name);
        deleteReports(this.sql, name, Number.MAX_SAFE_INTEGER);
      } else {
        const day = Math.floor((newest ?? now) / DAY_MS);
        days[day] = (days[day] ?? 0) + 1;
      }
    }
    const next = rows.length < TRIMMED_AT_ONCE ? null : (rows.at(-1)?.name ?? null);
    if (next === null)
      for (const kind of ['domain', 'list'] as const) deleteLevelsBelow(this.sql, kind, levelsOlderThan(now - KEPT_MS));
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
    if (address !== null) this.levels.forget(name, address, now);
    deleteHistory(this.sql, 'address', name);
  }
}

const isSame = (one: ArrayBuffer, other: ArrayBuffer): boolean => Buffer.from(one).equals(Buffer.from(other));
