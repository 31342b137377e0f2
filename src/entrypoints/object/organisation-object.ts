import { DurableObject } from 'cloudflare:workers';
import { type ObjectServices, openObjectServices } from '../../app/object-services.ts';
import type { KeyRecord } from '../../domain/access/index.ts';
import { insertKey, listKeys, revokeKey } from '../../domain/access/object-store.ts';
import type { Limits } from '../../domain/metering/index.ts';
import { expireOperations, readMeter, writeMeter } from '../../domain/metering/object-store.ts';
import {
  type AdmitRequest,
  type Admitted,
  type FinishRequest,
  type ObjectStatus,
  type OrganisationAdministration,
  type OrganisationPort,
  type OrganisationSettings,
  type OrganisationSnapshot,
  type OutboxRow,
  type Refused,
} from '../../domain/organisation/index.ts';
import * as store from '../../domain/organisation/object-store.ts';
import { countRules, listRules, rebuildRules } from '../../domain/rule-lists/object-store.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import type { Id } from '../../kernel/ids.ts';
import { describeError, log } from '../../platform/log.ts';
import { migrateObject } from '../../platform/migrate-object.ts';
import type { Sql } from '../../platform/sql.ts';
import { admit, reverse } from './admit.ts';
import { addRules, forgetAddress, type RuleChangeDeps, removeRules } from './change-rules.ts';
import { finish } from './finish.ts';
import { OBJECT_MIGRATIONS } from './migrations.ts';
import { OutboxDrain } from './outbox-drain.ts';
import { Timers } from './timers.ts';

/** How long rows gather before the outbox is written: a burst becomes few statements. */
const DRAIN_DELAY_MS = SECOND_MS;
const FLUSH_LIMIT_MS = 2 * SECOND_MS;
/** Operations forgotten in one go: a few milliseconds of the object's one thread. */
const EXPIRED_AT_ONCE = 1_000;
/** Past this much the outbox has grown through a long outage: traces are kept without what replays them. */
const STORAGE_LARGE_BYTES = 2 ** 30;
/** Past this much nothing more is taken in; an object holds 10 GB at the most. */
const STORAGE_FULL_BYTES = 5 * 2 ** 30;

/**
 * The one authority of an account. Its SQLite is the truth for keys, settings, counts and rules; Postgres gets a
 * projection through the outbox. Every method is safe to repeat, and writes without awaiting in between.
 */
export class OrganisationObject extends DurableObject<Env> implements OrganisationPort, OrganisationAdministration {
  private readonly sql: Sql;
  private readonly services: ObjectServices;
  private readonly timers: Timers;
  private organisation: OrganisationSettings | 'deleted' | null;
  private readonly outbox: OutboxDrain;
  private projectedUsage = '';

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.sql = ctx.storage.sql;
    this.services = openObjectServices(env);
    migrateObject(this.sql, (work) => ctx.storage.transactionSync(work), OBJECT_MIGRATIONS);
    this.organisation = store.readOrganisation(this.sql);
    this.outbox = new OutboxDrain(this.sql, this.services);
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
    const isFull = this.storageBytes() > STORAGE_FULL_BYTES;
    const answer = this.ctx.storage.transactionSync(() => admit(this.sql, organisation, request, now, isFull));
    if (answer.ok && !request.faulty) this.timers.arm('ledger', now + HOUR_MS);
    return answer;
  }

  async finish(request: FinishRequest): Promise<{ readonly answer: string | null }> {
    if (this.organisation === null || this.organisation === 'deleted') return { answer: request.answer };
    const now = this.now();
    const kept = this.storageBytes() > STORAGE_LARGE_BYTES ? withoutDetail(request) : request;
    const { answer } = this.ctx.storage.transactionSync(() => finish(this.sql, kept, now));
    this.timers.arm('outbox', now + DRAIN_DELAY_MS);
    return { answer };
  }

  async reverse(operationId: string): Promise<void> {
    this.ctx.storage.transactionSync(() => reverse(this.sql, operationId, this.now()));
  }

  async usage(): ReturnType<OrganisationPort['usage']> {
    return { usage: readMeter(this.sql, this.now()).usage, limits: this.require().limits };
  }

  async addRules(change: Parameters<OrganisationPort['addRules']>[0]): ReturnType<OrganisationPort['addRules']> {
    return this.ctx.storage.transactionSync(() => addRules(this.ruleChange(), change));
  }

  async removeRules(
    change: Parameters<OrganisationPort['removeRules']>[0],
  ): ReturnType<OrganisationPort['removeRules']> {
    return this.ctx.storage.transactionSync(() => removeRules(this.ruleChange(), change));
  }

  async listRules(page: Parameters<OrganisationPort['listRules']>[0]): ReturnType<OrganisationPort['listRules']> {
    const { kind, rule, limit, before } = page;
    return { entries: listRules(this.sql, kind, rule, limit, before), count: countRules(this.sql, kind, rule) };
  }

  async flush(traceId: string | null): ReturnType<OrganisationPort['flush']> {
    const drained = await within(this.outbox.drain(), FLUSH_LIMIT_MS);
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
      rebuildRules(this.sql, 'domain', snapshot.rules.domain);
      rebuildRules(this.sql, 'address', snapshot.rules.address);
      const current = this.organisation as OrganisationSettings | null;
      if (current === null || current.version < snapshot.settings.version) this.save(snapshot.settings);
    });
  }

  /** Nothing of the organisation is left, here or on its way to Postgres, when this returns. */
  async destroy(): Promise<void> {
    const stopped = this.outbox.stop();
    this.ctx.storage.transactionSync(() => {
      for (const table of CONTENT_TABLES) this.sql.exec(`delete from ${table}`);
      store.writeOrganisation(this.sql, null);
      this.organisation = 'deleted';
    });
    this.timers.clear();
    await this.ctx.storage.deleteAlarm();
    await stopped;
  }

  async forget(addressHash: string): ReturnType<OrganisationAdministration['forget']> {
    store.forgetBuried(this.sql, addressHash);
    if (this.organisation === null || this.organisation === 'deleted') return { rules: 0 };
    return { rules: this.ctx.storage.transactionSync(() => forgetAddress(this.ruleChange(), addressHash)) };
  }

  async tick(): Promise<void> {
    await this.timers.run(this.now());
  }

  private storageBytes(): number {
    return this.ctx.storage.sql.databaseSize;
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

  private ruleChange(): RuleChangeDeps {
    this.require();
    return {
      ...{ sql: this.sql, now: this.now() },
      project: (kind, change) => this.project(`${kind}_rules`, String(change.version), change),
    };
  }

  private project(kind: Exclude<OutboxRow['kind'], 'trace'>, id: string, record: object): void {
    const { id: organisationId } = this.require();
    const now = this.now();
    store.appendOutbox(this.sql, kind, id, JSON.stringify({ ...record, organisationId }), now);
    this.timers.arm('outbox', now);
  }

  /** The ledger timer: forgets operations whose time is over, and shows Postgres the month's counts. */
  private async tidyLedger(now: number): Promise<number | null> {
    const next = this.ctx.storage.transactionSync(() => expireOperations(this.sql, now, EXPIRED_AT_ONCE));
    this.projectUsage();
    // More than one go holds: on at once. Else not for each single one.
    return next === null || next <= now ? next : Math.max(next, now + MINUTE_MS);
  }

  /** Counts go to Postgres whenever they changed and something is written there anyway, so that a rebuild knows them. */
  private projectUsage(): void {
    const usage = JSON.stringify(readMeter(this.sql, this.now()).usage);
    if (usage === this.projectedUsage) return;
    this.projectedUsage = usage;
    this.project('usage', 'usage', { usage: JSON.parse(usage), at: this.now() });
  }

  private async writeOut(): Promise<number | null> {
    this.projectUsage();
    return this.outbox.work();
  }
}

/** Everything an organisation's object holds, but for what it is and the record of its schema. */
const CONTENT_TABLES = [
  ...(['api_key', 'meter', 'operation', 'outbox', 'timer'] as const),
  ...(['domain_rule', 'address_rule', 'rule_version'] as const),
];

/** The trace as it is kept while the outbox is very large: what was decided, not what it was made from. */
function withoutDetail(request: FinishRequest): FinishRequest {
  const record = JSON.stringify({ ...(JSON.parse(request.trace.record) as object), detail: null });
  return { ...request, trace: { ...request.trace, record } };
}
