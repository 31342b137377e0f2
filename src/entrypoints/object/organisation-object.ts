import { DurableObject } from 'cloudflare:workers';
import { type ObjectServices, openObjectServices } from '../../app/object-services.ts';
import type { KeyRecord } from '../../domain/access/index.ts';
import { insertKey, listKeys, revokeKey } from '../../domain/access/object-store.ts';
import type { Limits } from '../../domain/metering/index.ts';
import { pruneOperations, readMeter, writeMeter } from '../../domain/metering/object-store.ts';
import {
  type AdmitRequest,
  type Admitted,
  drainBackoffMs,
  drainOutbox,
  type FinishRequest,
  type ObjectStatus,
  type OrganisationAdministration,
  type OrganisationPort,
  type OrganisationSettings,
  type OrganisationSnapshot,
  type Refused,
} from '../../domain/organisation/index.ts';
import * as store from '../../domain/organisation/object-store.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import type { Id } from '../../kernel/ids.ts';
import { describeError, log } from '../../platform/log.ts';
import { migrateObject } from '../../platform/migrate-object.ts';
import type { Sql } from '../../platform/sql.ts';
import { admit, reverse } from './admit.ts';
import { finish } from './finish.ts';
import { OBJECT_MIGRATIONS } from './migrations.ts';
import { Timers } from './timers.ts';

/** How long rows gather before the outbox is written: a burst becomes few statements. */
const DRAIN_DELAY_MS = SECOND_MS;
const FLUSH_LIMIT_MS = 2 * SECOND_MS;

/**
 * The one authority of an account. Its SQLite is the truth for keys, settings, counts and rules; Postgres gets a
 * projection through the outbox. Every method is safe to repeat, and writes without awaiting in between.
 */
export class OrganisationObject extends DurableObject<Env> implements OrganisationPort, OrganisationAdministration {
  private readonly sql: Sql;
  private readonly services: ObjectServices;
  private readonly timers: Timers;
  private organisation: OrganisationSettings | 'deleted' | null;
  private drainFailures = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.services = openObjectServices(env);
    migrateObject(this.sql, (work) => ctx.storage.transactionSync(work), OBJECT_MIGRATIONS);
    this.organisation = store.readOrganisation(this.sql);
    this.timers = new Timers(
      this.sql,
      { outbox: () => this.writeOut(), ledger: (now) => this.tidyLedger(now) },
      (dueAt) => void ctx.storage.setAlarm(dueAt - this.services.clockOffsetMs),
      (timer, error) => log('error', 'timer_failed', { timer, ...describeError(error) }),
    );
  }

  private now(): number {
    return this.services.now();
  }

  override async alarm(): Promise<void> {
    await this.timers.run(this.now());
  }

  async admit(request: AdmitRequest): Promise<Admitted | Refused> {
    const { organisation } = this;
    if (organisation === null) log('error', 'empty_object', { trace_id: request.traceId });
    if (organisation === null || organisation === 'deleted') return { ok: false, refusal: 'unauthorized', rate: null };
    const now = this.now();
    const answer = this.ctx.storage.transactionSync(() => admit(this.sql, organisation, request, now));
    if (answer.ok && !request.faulty) this.timers.arm('ledger', now + HOUR_MS);
    return answer;
  }

  async finish(request: FinishRequest): Promise<{ readonly answer: string | null }> {
    if (this.organisation === null || this.organisation === 'deleted') return { answer: request.answer };
    const now = this.now();
    const { answer } = this.ctx.storage.transactionSync(() => finish(this.sql, request, now));
    this.timers.arm('outbox', now + DRAIN_DELAY_MS);
    return { answer };
  }

  async reverse(operationId: string): Promise<void> {
    this.ctx.storage.transactionSync(() => reverse(this.sql, operationId, this.now()));
  }

  async usage(): ReturnType<OrganisationPort['usage']> {
    return { usage: readMeter(this.sql, this.now()).usage, limits: this.require().limits };
  }

  async flush(traceId: string | null): ReturnType<OrganisationPort['flush']> {
    const drained = await within(this.drain(), FLUSH_LIMIT_MS);
    return { drained: drained === true, held: traceId === null ? null : store.findHeldTrace(this.sql, traceId) };
  }

  async create(settings: OrganisationSettings): Promise<void> {
    if (this.organisation === null) this.save(settings);
  }

  async configure(change: { name?: string; limits?: Partial<Limits> }): Promise<OrganisationSettings | null> {
    const { organisation } = this;
    if (organisation === null || organisation === 'deleted') return null;
    const limits = { ...organisation.limits, ...change.limits };
    return this.save({
      ...organisation,
      name: change.name ?? organisation.name,
      limits,
      version: organisation.version + 1,
    });
  }

  async settings(): Promise<OrganisationSettings | null> {
    return this.organisation === 'deleted' ? null : this.organisation;
  }

  async insertKey(key: KeyRecord): Promise<boolean> {
    this.require();
    return this.ctx.storage.transactionSync(() => {
      const inserted = insertKey(this.sql, key);
      if (inserted) this.project('api_key', key.id, key);
      return inserted;
    });
  }

  async revokeKey(id: Id<'key'>): Promise<KeyRecord | null> {
    this.require();
    return this.ctx.storage.transactionSync(() => {
      const key = revokeKey(this.sql, id, this.now());
      if (key) this.project('api_key', key.id, key);
      return key;
    });
  }

  async listKeys(): Promise<readonly KeyRecord[]> {
    return listKeys(this.sql);
  }

  async status(): Promise<ObjectStatus | null> {
    if (this.organisation === null || this.organisation === 'deleted') return null;
    const { rows, oldestAt, dead } = store.outboxStatus(this.sql);
    return {
      outboxRows: rows,
      outboxOldestAt: oldestAt,
      outboxDead: dead,
      usage: readMeter(this.sql, this.now()).usage,
    };
  }

  /** Fills the object from its projection. Counts that are here already are newer than the projection's and stay. */
  async rebuild(snapshot: OrganisationSnapshot): Promise<void> {
    if (this.organisation === 'deleted') throw new Error('a deleted organisation stays deleted');
    this.ctx.storage.transactionSync(() => {
      const now = this.now();
      const meter = readMeter(this.sql, now);
      const isUntouched = Object.values(meter.usage.calls).every((count) => count === 0);
      if (snapshot.usage?.month === meter.usage.month && isUntouched)
        writeMeter(this.sql, { ...meter, usage: snapshot.usage });
      for (const key of snapshot.keys) {
        insertKey(this.sql, key);
        if (key.revokedAt !== null) revokeKey(this.sql, key.id, key.revokedAt);
      }
      const current = this.organisation as OrganisationSettings | null;
      if (current === null || current.version < snapshot.settings.version) this.save(snapshot.settings);
    });
  }

  async destroy(): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      for (const table of CONTENT_TABLES) this.sql.exec(`delete from ${table}`);
      store.writeOrganisation(this.sql, null);
      this.organisation = 'deleted';
    });
    this.timers.clear();
    await this.ctx.storage.deleteAlarm();
  }

  async tick(): Promise<void> {
    await this.timers.run(this.now());
  }

  private require(): OrganisationSettings {
    if (this.organisation === null || this.organisation === 'deleted')
      throw new Error('no organisation in this object');
    return this.organisation;
  }

  private save(settings: OrganisationSettings): OrganisationSettings {
    store.writeOrganisation(this.sql, settings);
    this.organisation = settings;
    this.project('organisation', settings.id, settings);
    return settings;
  }

  private project(kind: 'organisation' | 'api_key' | 'usage', id: string, record: object): void {
    const { id: organisationId } = this.require();
    const now = this.now();
    store.appendOutbox(this.sql, kind, id, JSON.stringify({ ...record, organisationId }), now);
    this.timers.arm('outbox', now);
  }

  /** The outbox timer: writes everything out; after a failure it waits longer each time. */
  private async writeOut(): Promise<number | null> {
    const drained = await this.drain();
    this.drainFailures = drained ? 0 : this.drainFailures + 1;
    const { rows, oldestAt } = store.outboxStatus(this.sql);
    const now = this.now();
    this.services.counters.add('outbox_rows', rows);
    if (oldestAt !== null) this.services.counters.add('outbox_age_ms', now - oldestAt);
    if (rows === 0) return null;
    return now + (drained ? DRAIN_DELAY_MS : drainBackoffMs(this.drainFailures));
  }

  private async drain(): Promise<boolean> {
    const lastSeq = store.lastOutboxSeq(this.sql);
    return drainOutbox({
      list: (limit) => store.listOutbox(this.sql, lastSeq, limit),
      write: (kind, rows) => this.services.writeOutbox(kind, rows),
      remove: (rows) =>
        store.deleteOutbox(
          this.sql,
          rows.map((row) => row.seq),
        ),
      bury: (row, failure) => {
        store.buryOutbox(this.sql, row.seq);
        log('error', 'outbox_row_refused', { kind: row.kind, id: row.id, ...describeError(failure.error) });
      },
    });
  }

  /** The ledger timer: operations under an `Idempotency-Key` are kept 24 hours, the others an hour. */
  private async tidyLedger(now: number): Promise<number | null> {
    const left = pruneOperations(this.sql, now - HOUR_MS, now - DAY_MS);
    this.project('usage', 'usage', { usage: readMeter(this.sql, now).usage, at: now });
    return left > 0 ? now + HOUR_MS : null;
  }
}

/** Everything an organisation's object holds, but for what it is and the record of its schema. */
const CONTENT_TABLES = ['api_key', 'meter', 'operation', 'outbox', 'timer', 'domain_rule', 'address_rule'] as const;
