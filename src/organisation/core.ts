import type { AdminNotice, InvitationRecord, MemberRecord } from '../domain/access/member-records.ts';
import type { Observation, ObservationContext } from '../domain/belief/facts.ts';
import type { Model } from '../domain/belief/model.ts';
import type { JobRecord } from '../domain/bulk/job-record.ts';
import type { Alert, OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { Usage } from '../domain/metering/usage.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { describeError, failureLevel, log, type WrittenCounters } from '../kernel/log.ts';
import type { OutboxRow, WriteFailure } from '../storage/postgres/projection.ts';
import type { ChangeDeps } from './changes.ts';
import { History } from './history.ts';
import { ensureDefaultPolicy } from './policies.ts';
import { bringUpToDate, CONTENT_TABLES } from './schema.ts';
import { appendOutbox, dropProjected, type Erasure, readOrganisation, writeOrganisation } from './sql/organisation.ts';
import { currentName } from './sql/rehash.ts';
import { raw, RememberingSql } from './sql/sql.ts';
import { AtWork, type TimerName, Timers, type TimerWork } from './timers.ts';

/** How long rows gather before the outbox is written, so that a burst becomes few statements. */
const DRAIN_DELAY_MS = SECOND_MS;
/** An object of this size has been through a long outage of Postgres: further traces lose their detail. */
const STORAGE_LARGE_BYTES = 2 ** 30;
/** An object of this size refuses further requests; the platform's maximum is 10 GB. */
const STORAGE_FULL_BYTES = 5 * 2 ** 30;
/** Kinds of which only a record's newest state waits for Postgres: nothing older, and no row for each count. */
const REPLACED: ReadonlySet<OutboxRow['kind']> = new Set(['member', 'invitation', 'audit']);

/** What the parts of an organisation's object share: SQLite, settings, timers and the outbox. */
export class ObjectCore {
  readonly sql: RememberingSql;
  readonly history: History;
  readonly services: ObjectServices;
  /** Set by `begin`. */
  timers!: Timers;
  private readonly storage: DurableObjectStorage;
  private held: OrganisationSettings | 'deleted' | null;

  constructor(storage: DurableObjectStorage, services: ObjectServices) {
    this.storage = storage;
    this.services = services;
    this.sql = new RememberingSql(storage);
    bringUpToDate(this.sql, (work) => storage.transactionSync(work));
    this.held = readOrganisation(this.sql);
    this.history = new History(this.sql, services.model);
  }

  /** Starts the timers once the object's parts exist. */
  begin(work: Readonly<Record<TimerName, TimerWork>>): void {
    const { services, sql, storage } = this;
    const atWork = new AtWork(services.now, async () => this.live === null || services.noteWork(this.live.id));
    const setAlarm = (dueAt: number): void => {
      void storage.setAlarm(dueAt - services.clockOffsetMs);
      atWork.dueAt(dueAt);
    };
    this.timers = new Timers(sql, services.now, work, setAlarm, (timer, error) =>
      log(failureLevel(error), 'timer_failed', { timer, ...describeError(error) }),
    );
    if (this.live !== null) ensureDefaultPolicy(this.changeDeps(), this.live.createdAt);
  }

  /** `deleted`: a tombstone. Null: the object was never filled, or lost its data. */
  get settings(): OrganisationSettings | 'deleted' | null {
    return this.held;
  }

  get isDeleted(): boolean {
    return this.held === 'deleted';
  }

  get live(): OrganisationSettings | null {
    return this.held === 'deleted' ? null : this.held;
  }

  get isLarge(): boolean {
    return this.storage.sql.databaseSize > STORAGE_LARGE_BYTES;
  }

  get isFull(): boolean {
    return this.storage.sql.databaseSize > STORAGE_FULL_BYTES;
  }

  now(): number {
    return this.services.now();
  }

  /** The settings of an existing organisation; throws without one. */
  require(): OrganisationSettings {
    if (this.live === null) throw new Error('no organisation in this object');
    return this.live;
  }

  /** For restoring: `rebuild` fills an empty object, and a deleted one stays deleted. */
  requireRestorable(): void {
    if (this.isDeleted) throw new Error('a deleted organisation stays deleted');
  }

  transact<T>(work: () => T): T {
    try {
      return this.timers.transact((all) => this.sql.transact(all), work);
    } catch (error) {
      this.history.reread();
      throw error;
    }
  }

  /** A change in a transaction of its own. */
  change<T>(work: (deps: ChangeDeps) => T): T {
    return this.transact(() => work(this.changeDeps()));
  }

  changeDeps(): ChangeDeps {
    this.require();
    return { sql: this.sql, now: this.now(), project: (kind, id, record) => this.project(kind, id, record) };
  }

  save(settings: OrganisationSettings): OrganisationSettings {
    writeOrganisation(this.sql, settings);
    this.held = settings;
    this.project('organisation', settings.id, settings);
    ensureDefaultPolicy(this.changeDeps(), settings.createdAt);
    return settings;
  }

  /** Deletes everything and leaves a tombstone. */
  async wipe(): Promise<void> {
    this.transact(() => {
      for (const table of CONTENT_TABLES) this.sql.run`delete from ${raw(table)}`;
      writeOrganisation(this.sql, null);
      this.held = 'deleted';
    });
    this.timers.clear();
    await this.storage.deleteAlarm();
  }

  learn(news: readonly Observation[]): void {
    const { sql } = this;
    // What comes from a trace may name its address as it was hashed before.
    const named = news.map((each) => {
      const { address, domain } = each.context;
      return {
        ...each,
        context: { ...each.context, address: currentName(sql, address), domain: currentName(sql, domain) },
      };
    });
    this.history.learn(named, this.now());
  }

  drainSoon(waitsSince = this.now()): void {
    this.timers.arm('outbox', waitsSince + DRAIN_DELAY_MS);
  }

  /** Queues a record for Postgres. */
  project(kind: Exclude<OutboxRow['kind'], 'trace'>, id: string, record: object): void {
    const { id: organisationId } = this.require();
    const now = this.now();
    if (REPLACED.has(kind)) dropProjected(this.sql, kind, id);
    appendOutbox(this.sql, kind, id, JSON.stringify({ ...record, organisationId }), now);
    this.timers.arm('outbox', now);
  }
}

/** Addresses by trace id. Those without a part in the history are left out. */
export type TracedAddresses = ReadonlyMap<
  string,
  { readonly addressHash: string; readonly context: ObservationContext }
>;

/** What an organisation's object needs from outside its storage. */
export interface ObjectServices {
  readonly now: Clock;
  /** How far service time is ahead of the machine's clock, which alarms use. */
  readonly clockOffsetMs: number;
  readonly counters: WrittenCounters;
  readonly model: Model;
  /** `HASH_SECRET` is being rotated: names of before count. */
  readonly isRotating: boolean;
  /** Tells the operators' object that this organisation's has work due soon. False: it does not know. */
  noteWork(organisation: Id<'org'>): Promise<boolean>;
  wakeJobs(organisation: Id<'org'>, jobs: readonly Id<'bj'>[]): Promise<void>;
  deleteJobFiles(organisation: Id<'org'>, job: Id<'bj'>): Promise<void>;
  /** False: try again later. */
  sendJobMail(record: JobRecord): Promise<boolean>;
  /** False: try again later. */
  sendInvitation(organisation: OrganisationSettings, invitation: InvitationRecord): Promise<boolean>;
  /** False: try again later. */
  sendAdminNotice(organisation: OrganisationSettings, notice: AdminNotice): Promise<boolean>;
  /** Mails one admin. False: try again later. */
  sendAlert(organisation: OrganisationSettings, alert: Alert, usage: Usage, to: MemberRecord): Promise<boolean>;
  writeOutbox(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null>;
  /** The addresses of these traces in Postgres, by requested id; rejects while it is away. */
  findTracedAddresses(organisation: Id<'org'>, ids: readonly Id<'vr' | 'dc'>[]): Promise<TracedAddresses>;
  /** Unlinks rows in Postgres from addresses, by hash; false: try again later. */
  erase(organisation: Id<'org'>, erasures: readonly Erasure[]): Promise<boolean>;
}
