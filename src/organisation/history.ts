import QuickLRU from 'quick-lru';
import type { Purpose } from '../contract/vocabulary.ts';
import { type KnownHistory, NO_HISTORY } from '../domain/answer/account.ts';
import {
  type AddressFacts,
  type DeliveryReport,
  isInTime,
  newestAt,
  joinedFacts,
  NO_FACTS,
  remembered,
  type Observation,
  withObservation,
} from '../domain/belief/facts.ts';
import type { Contribution, Groups } from '../domain/belief/groups.ts';
import { learn } from '../domain/belief/learning.ts';
import type { Model } from '../domain/belief/model.ts';
import { listOfCalls, rowName, sourceTag } from '../domain/belief/names.ts';
import { Contradictions, periodOf, ReportTallies, TALLIES_KEPT_MS, tallyChanges } from '../domain/belief/trust.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { HistoryLookup, HistorySlice, TrimmedHistory } from './authorization.ts';
import * as store from './sql/history.ts';
import { currentName } from './sql/rehash.ts';
import type { Sql } from './sql/sql.ts';

/** Addresses for one nightly call: a few milliseconds of the object's one thread. */
const TRIMMED_AT_ONCE = 2_000;

/** Lists of single calls whose keys are cached, since a hash takes as long as several statements. */
const LISTS_KEPT = 1_000;

/** The account's own row has an empty key. */
const ACCOUNT = '';

/** Addresses, or groups, in one step of a recompute: some milliseconds of the object's one thread. */
const RECOMPUTED_AT_ONCE = 200;

/**
 * Recomputes all addresses in key order into the generation that is not in force, which makes the result independent of
 * arrival order. Runs in short steps, between which requests change addresses; one that is already passed is folded
 * here at once. Restarts if the object's memory is lost.
 */
interface Recompute {
  readonly shadow: store.Generation;
  readonly contradictions: Contradictions;
  isEmptied: boolean;
  /** The last address that the fold has passed. */
  after: string | null;
}
const hasPassed = ({ after }: Recompute, name: string): boolean => after !== null && name <= after;

/**
 * The account's knowledge of addresses and their groups. Must run within the transaction of the observation; `reread`
 * after a rollback.
 */
export class History {
  private readonly sql: Sql;
  private readonly model: Model;
  private state: store.HistoryState;
  /** Loaded on first use. */
  private tallies: ReportTallies | null = null;
  private recompute: Recompute | null = null;
  /** Groups moved in this step, each written once at its end. */
  private readonly moved = new Map<string, store.GroupRow>();
  private readonly lists = new QuickLRU<string, string>({ maxSize: LISTS_KEPT });
  /** Null means unknown. True once the last one was erased: look-ups return nothing. */
  private isEmpty: boolean | null = null;

  constructor(sql: Sql, model: Model) {
    this.sql = sql;
    this.model = model;
    this.state = store.readState(sql);
  }

  /** Reloads memory after a rollback. A recompute starts over. */
  reread(): void {
    this.state = store.readState(this.sql);
    this.tallies = null;
    this.recompute = null;
    this.isEmpty = null;
    this.moved.clear();
  }

  /** Addresses changed since the groups were recomputed. */
  get isChanged(): boolean {
    return this.state.isChanged;
  }

  /** `keyId`: whose calls are the list if the lookup names no other. */
  known(addressHash: string, lookup: HistoryLookup, keyId: string, now: number): KnownHistory {
    this.isEmpty ??= !store.hasAddresses(this.sql);
    if (this.isEmpty) return NO_HISTORY;
    const { live } = this.state;
    const row = this.row(live, rowName(addressHash));
    // A row of a file belongs to its file's list; another call to the one where the address was first seen.
    const list = 'list' in lookup ? lookup.list : (row?.facts.list ?? this.callsOf(keyId, lookup.purpose));
    const trust = this.trust();
    return {
      address: row && {
        ...row.facts,
        reports: row.facts.reports.filter((report) => trust.isCounted(report, row.facts.host, now)),
        contribution: row.contribution,
      },
      groups: this.groupsOf(live, lookup.domain, list),
      isOwnList: row?.facts.list === list,
      isTrusted: trust.isAnyTrusted(now),
      errors: this.state.errors,
    };
  }

  private callsOf(keyId: string, purpose: Purpose): string {
    const of = `${keyId} ${purpose}`;
    const list = this.lists.get(of) ?? listOfCalls(keyId, purpose);
    this.lists.set(of, list);
    return list;
  }

  private groupsOf(of: store.Generation, domain: string, list: string | null): Groups {
    return {
      domain: this.find(of, 'domain', domain),
      list: list === null ? null : this.find(of, 'list', list),
      ...(this.find(of, 'account', ACCOUNT) ?? { account: null, catchAlls: null }),
    };
  }

  private find<K extends store.GroupKind>(of: store.Generation, kind: K, name: string): store.GroupStates[K] | null {
    const moved = this.moved.get(`${of} ${kind} ${name}`) as { readonly state: store.GroupStates[K] } | undefined;
    return moved?.state ?? store.findGroup(this.sql, of, kind, name);
  }

  private move(row: store.GroupRow): void {
    this.moved.set(`${row.of} ${row.kind} ${row.name}`, row);
  }

  private writeMoved(): void {
    for (const row of this.moved.values()) store.putGroup(this.sql, row);
    this.moved.clear();
  }

  /** Stores observations; idempotent. */
  learn(news: readonly Observation[], now: number): void {
    for (const each of news) this.enter(each, now);
    this.writeMoved();
  }

  private enter(news: Observation, now: number): void {
    const { context, answers } = news;
    const timely = <T extends { readonly at: number }>(fact: T | null): T | null =>
      fact !== null && isInTime(fact.at, now) ? { ...fact, at: Math.min(fact.at, now) } : null;
    const [told, proof] = [timely(news.report), timely(news.proof)];
    if (answers.length === 0 && told === null && proof === null) return;
    const row = this.row(this.state.live, context.address);
    const report = told && this.tagged(told);
    const facts = withObservation(row?.facts ?? null, { ...news, report, proof }, now);
    const newest = newestAt(facts);
    if (newest === null || (row !== null && JSON.stringify(row.facts) === JSON.stringify(facts))) return;
    if (report !== null)
      for (const change of tallyChanges(row?.facts.reports ?? [], facts.reports, report.of, facts.host)) {
        this.trust().add(change);
        store.addTally(this.sql, change);
      }
    this.put(context.address, row, facts, newest, now);
  }

  private row(of: store.Generation, name: string): store.AddressRow | null {
    const row = store.findAddress(this.sql, of, name);
    return row && this.currentRow(row);
  }

  /** Its domain as it is named now. */
  private currentRow(row: store.AddressRow): store.AddressRow {
    const domain = currentName(this.sql, row.facts.domain);
    return domain === row.facts.domain ? row : { ...row, facts: { ...row.facts, domain } };
  }

  /** Enters what is known of an address. `row`: what was known until now. */
  private put(name: string, row: store.AddressRow | null, facts: AddressFacts, newest: number, now: number): void {
    this.isEmpty = false;
    this.change();
    const contribution = this.refold(this.state.live, name, facts, row?.contribution ?? null, now);
    store.putAddress(this.sql, this.state.live, { name, facts, contribution }, newest);
    const { recompute } = this;
    if (recompute === null || !hasPassed(recompute, name)) return;
    const { shadow } = recompute;
    const before = row === null ? null : (store.findAddress(this.sql, shadow, name)?.contribution ?? null);
    store.putContribution(this.sql, shadow, name, this.refold(shadow, name, facts, before, now));
  }

  /** Takes an address out of its groups, and its row away. */
  private drop({ name, facts, contribution }: store.AddressRow, now: number): void {
    const none = { ...facts, ...NO_FACTS };
    this.refold(this.state.live, name, none, contribution, now);
    if (this.recompute !== null && hasPassed(this.recompute, name)) {
      const { shadow } = this.recompute;
      this.refold(shadow, name, none, store.findAddress(this.sql, shadow, name)?.contribution ?? null, now);
    }
    store.deleteAddress(this.sql, name);
    this.change();
  }

  /** Moves what is known under a name to another one, and joins it with what is known there. */
  rehash(oldName: string, name: string, now: number): void {
    const row = this.row(this.state.live, oldName);
    if (row === null) return;
    this.drop(row, now);
    const known = this.row(this.state.live, name);
    const facts = known === null ? row.facts : joinedFacts(row.facts, known.facts);
    const newest = newestAt(facts);
    if (newest !== null) this.put(name, known, facts, newest, now);
    this.writeMoved();
  }

  /** The rows of its addresses follow as they are read and recomputed. */
  rehashDomain(oldName: string, name: string): void {
    store.renameGroup(this.sql, 'domain', oldName, name);
  }

  /** An address's row has no room for a whole id, and must not reveal who reported. */
  private tagged({ class: kind, at, of, source }: DeliveryReport): DeliveryReport {
    return { class: kind, at, of: sourceTag(of), source: sourceTag(source) };
  }

  private refold(
    of: store.Generation,
    name: string,
    facts: AddressFacts,
    own: Contribution | null,
    now: number,
  ): Contribution | null {
    const before = this.groupsOf(of, facts.domain, facts.list);
    const learned = learn(this.model, name, facts, before, own, this.trust(), now);
    const { domain, list, account, catchAlls } = learned.groups;
    if (domain !== null) this.move({ of, kind: 'domain', name: facts.domain, state: domain });
    if (list !== null && facts.list !== null) this.move({ of, kind: 'list', name: facts.list, state: list });
    if (account !== null) this.move({ of, kind: 'account', name: ACCOUNT, state: { account, catchAlls } });
    return learned.contribution;
  }

  private trust(): ReportTallies {
    this.tallies ??= new ReportTallies(store.listTallies(this.sql), this.state.errors);
    return this.tallies;
  }

  private change(): void {
    if (this.state.isChanged) return;
    this.state = { ...this.state, isChanged: true };
    store.writeState(this.sql, this.state);
  }

  about(addressHash: string): AddressFacts | null {
    return store.findAddress(this.sql, this.state.live, rowName(addressHash))?.facts ?? null;
  }

  /** Removes an address from its history and groups; returns what was removed. */
  forget(addressHash: string, now: number): { readonly histories: number; readonly reports: number } {
    const name = rowName(addressHash);
    const row = this.row(this.state.live, name);
    if (row === null) return { histories: 0, reports: 0 };
    this.drop(row, now);
    this.writeMoved();
    return { histories: 1, reports: row.facts.reports.length };
  }

  /** One step of the recompute of all groups; the first one starts it. True: the groups are now in force. */
  recomputeOn(now: number): boolean {
    if (this.recompute === null) {
      this.state = { ...this.state, isChanged: false };
      store.writeState(this.sql, this.state);
    }
    this.recompute ??= {
      shadow: store.otherThan(this.state.live),
      contradictions: new Contradictions(),
      isEmptied: false,
      after: null,
    };
    const { recompute } = this;
    const isLast = this.step(recompute, now);
    this.writeMoved();
    if (!isLast) return false;
    this.recompute = null;
    this.state = { ...this.state, live: recompute.shadow, errors: recompute.contradictions.errors() };
    store.writeState(this.sql, this.state);
    this.tallies = null;
    return true;
  }

  /** True: it was the last. */
  private step(recompute: Recompute, now: number): boolean {
    const { shadow, contradictions } = recompute;
    if (!recompute.isEmptied) {
      recompute.isEmptied = store.deleteGroups(this.sql, shadow, RECOMPUTED_AT_ONCE);
      return false;
    }
    const rows = store
      .listAddresses(this.sql, shadow, recompute.after, RECOMPUTED_AT_ONCE)
      .map((row) => this.currentRow(row));
    for (const { name, facts: known } of rows) {
      const facts = remembered(known, now);
      const contribution = this.refold(shadow, name, facts, null, now);
      store.putAddress(this.sql, shadow, { name, facts, contribution }, newestAt(known) ?? now);
      contradictions.note(facts);
    }
    recompute.after = rows.at(-1)?.name ?? recompute.after;
    return rows.length < RECOMPUTED_AT_ONCE;
  }

  /**
   * A slice of the nightly pass: removes addresses without news since `before`, and counts the others by the day of
   * their newest news. The next recompute updates the groups.
   */
  trim({ after, before, keep }: HistorySlice, now: number): TrimmedHistory {
    const rows = store.listNewest(this.sql, after, TRIMMED_AT_ONCE);
    const days: Record<number, number> = {};
    let left = keep;
    for (const { name, newest } of rows) {
      const isOfDay = newest < before + DAY_MS;
      if (newest < before || (isOfDay && left === 0)) {
        store.deleteAddress(this.sql, name);
        this.change();
      } else {
        if (isOfDay) left -= 1;
        const day = Math.floor(newest / DAY_MS);
        days[day] = (days[day] ?? 0) + 1;
      }
    }
    const next = rows.length < TRIMMED_AT_ONCE ? null : (rows.at(-1)?.name ?? null);
    if (next === null) {
      store.deleteTalliesBefore(this.sql, periodOf(now - TALLIES_KEPT_MS));
      this.tallies = null;
    }
    return { next, keep: left, days };
  }
}
