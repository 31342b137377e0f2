import type { Observation } from '../domain/belief/facts.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import type { OutboxRow } from '../storage/outbox-row.ts';
import type { ChangeDeps } from './changes.ts';
import { History } from './history.ts';
import { ensureDefaultPolicy } from './policies.ts';
import { bringUpToDate } from './schema.ts';
import type { ObjectServices } from './services.ts';
import { appendOutbox, dropProjected, readOrganisation, writeOrganisation } from './sql/organisation.ts';
import { RememberingSql } from './sql/remembering-sql.ts';
import type { Timers } from './timers.ts';

/** How long rows gather before the outbox is written, so that a burst becomes few statements. */
const DRAIN_DELAY_MS = SECOND_MS;
/** An object this large has been through a long outage of Postgres: it keeps further traces without their detail. */
const STORAGE_LARGE_BYTES = 2 ** 30;
/** An object this large refuses further requests; it can hold at most 10 GB. */
const STORAGE_FULL_BYTES = 5 * 2 ** 30;
/** Kinds of which a record's newest state alone waits for Postgres: nothing older of a person, and no row for each count. */
const REPLACED: ReadonlySet<OutboxRow['kind']> = new Set(['member', 'invitation', 'audit']);

/** What the parts of an organisation's object share: its SQLite, its settings, its timers and its way to Postgres. */
export class ObjectCore {
  readonly sql: RememberingSql;
  readonly history: History;
  readonly services: ObjectServices;
  /** Set by the object once its parts stand, since the timers run their work. */
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

  /** The settings of an organisation that is there; throws where it is not. */
  require(): OrganisationSettings {
    if (this.live === null) throw new Error('no organisation in this object');
    return this.live;
  }

  /** For what restores an organisation: `rebuild` fills an empty object, and a deleted one stays deleted. */
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

  leaveTombstone(): void {
    writeOrganisation(this.sql, null);
    this.held = 'deleted';
  }

  learn(news: readonly Observation[]): void {
    this.history.learn(news, this.now());
  }

  drainSoon(waitsSince = this.now()): void {
    this.timers.arm('outbox', waitsSince + DRAIN_DELAY_MS);
  }

  /** Sends a record on its way to Postgres. */
  project(kind: Exclude<OutboxRow['kind'], 'trace'>, id: string, record: object): void {
    const { id: organisationId } = this.require();
    const now = this.now();
    if (REPLACED.has(kind)) dropProjected(this.sql, kind, id);
    appendOutbox(this.sql, kind, id, JSON.stringify({ ...record, organisationId }), now);
    this.timers.arm('outbox', now);
  }
}
