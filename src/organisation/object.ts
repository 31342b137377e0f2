import type { MemberRecord } from '../domain/access/member-records.ts';
import { assess, type Concluded } from '../domain/answer/assess.ts';
import { type KeptVerification, keptOf } from '../domain/answer/kept.ts';
import type { Observation } from '../domain/belief/facts.ts';
import { rowName } from '../domain/belief/names.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { Limits } from '../domain/metering/usage.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { within } from '../kernel/deadline.ts';
import type { Id } from '../kernel/ids.ts';
import { describeError, failureLevel, log } from '../kernel/log.ts';
import type { OutboxRow } from '../storage/outbox-row.ts';
import { AccessObject } from './access-object.ts';
import { Alerts } from './alerts.ts';
import { AtWork } from './at-work.ts';
import { audit } from './audit.ts';
import { authorize, type Conclusion, reverse } from './authorize.ts';
import { erasedMark } from './bulk/erased.ts';
import { BulkJobs } from './bulk/jobs.ts';
import { BulkTimers } from './bulk/timers.ts';
import { type AdmitAnswer, type AdmitRequest, accountOf, type Refused } from './calls.ts';
import { commit, conclusionOf, withoutDetail } from './commit.ts';
import { Erasures } from './erasures.ts';
import { History } from './history.ts';
import { sendInvitationMails } from './invitation-mails.ts';
import { findKnown } from './known.ts';
import { putLosses } from './losses.ts';
import { bringUpToDate, CONTENT_TABLES } from './migrations.ts';
import type { ChangeDeps } from './once.ts';
import { OutboxDrain } from './outbox-drain.ts';
import { ensureDefaultPolicy, putPolicy } from './policies.ts';
import type { Input, OrganisationStub, Output } from './ports.ts';
import { rebuild } from './rebuild.ts';
import { RememberingSql } from './remembering-sql.ts';
import { addRules, forgetAddress, removeRules } from './rules.ts';
import type { ObjectServices } from './services.ts';
import { restoreAudit } from './sql/audit.ts';
import { findLosses, insertLosses } from './sql/losses.ts';
import { listAnswers, readMeter, reserve } from './sql/metering.ts';
import * as store from './sql/organisation.ts';
import { findPolicy, insertPolicy, listPolicies } from './sql/policy.ts';
import { countFound, countRules, findRules, listRules } from './sql/rules.ts';
import { inSteps } from './steps.ts';
import { Timers } from './timers.ts';
import { forgetHeld, objectStatus, STORAGE_FULL_BYTES, STORAGE_LARGE_BYTES, Upkeep } from './upkeep.ts';
import { UsageProjection } from './usage-projection.ts';
import { WrittenOperations } from './written.ts';

/** How long rows gather before the outbox is written, so that a burst becomes few statements. */
const DRAIN_DELAY_MS = SECOND_MS;
const FLUSH_LIMIT_MS = 2 * SECOND_MS;
/** Observations learnt in one go: some 30 ms of the object's thread. */
const LEARNT_AT_ONCE = 100;
/** Steps in one run of a timer: about half a second of CPU time. */
const STEPS_AT_ONCE = 100;
/** Kinds of which a record's newest state alone waits for Postgres: nothing older of a person, and no row for each count. */
const REPLACED: ReadonlySet<OutboxRow['kind']> = new Set(['member', 'invitation', 'audit']);
/** A caller has erased an address's rows in Postgres by then, or has died. */
const ERASE_AFTER_MS = MINUTE_MS;

/**
 * An organisation's object. Its SQLite is the truth for keys, settings, counts and rules; Postgres gets a projection
 * through the outbox. Every method is safe to repeat, and never awaits between its writes.
 */
export class OrganisationObjectBase extends AccessObject implements OrganisationStub {
  protected readonly sql: RememberingSql;
  private readonly services: ObjectServices;
  private readonly timers: Timers;
  private organisation: OrganisationSettings | 'deleted' | null;
  private readonly written: WrittenOperations;
  private readonly outbox: OutboxDrain;
  private readonly erasures: Erasures;
  protected readonly jobs: BulkJobs;
  private readonly upkeep: Upkeep;
  protected readonly history: History;

  constructor(ctx: DurableObjectState, env: Env, services: ObjectServices) {
    super(ctx, env);
    this.sql = new RememberingSql(ctx.storage);
    this.services = services;
    bringUpToDate(this.sql, (work) => ctx.storage.transactionSync(work));
    this.organisation = store.readOrganisation(this.sql);
    this.written = new WrittenOperations(this.sql);
    this.history = new History(this.sql, this.services.model);
    const usage = new UsageProjection(this.sql, () => this.require().id);
    this.outbox = new OutboxDrain(this.sql, this.services, this.written, usage, {
      find: async (ids) => {
        const found = await this.services.findTracedAddresses(this.require().id, ids);
        // What waits to be erased from Postgres is not to come back from there.
        return new Map([...found].filter(([, { addressHash }]) => !store.isBeingErased(this.sql, addressHash)));
      },
      learn: (news) => this.transact(() => this.learn(news)),
    });
    this.erasures = new Erasures(this.sql, this.services, this.outbox, () => this.require().id);
    this.upkeep = new Upkeep(this.sql, (work) => this.transact(work));
    this.jobs = new BulkJobs({
      sql: this.sql,
      now: () => this.now(),
      limits: () => this.require().limits,
      project: (job) => this.project('bulk_job', job.record.job.id, job),
      wakeBy: (timer, dueAt) => this.timers.advance(timer, dueAt),
    });
    const bulk = new BulkTimers(this.jobs, {
      sql: this.sql,
      transact: (work) => this.transact(work),
      wake: (ids) => this.services.wakeJobs(this.require().id, ids),
      deleteFiles: (id) => this.services.deleteJobFiles(this.require().id, id),
      sendMail: (record) => this.services.sendJobMail(record),
    });
    const alerts = new Alerts({
      sql: this.sql,
      transact: (work) => this.transact(work),
      now: () => this.now(),
      limits: () => this.require().limits,
      settings: () => this.require().alerts,
      begin: () => this.timers.arm('alert_mails', this.now()),
      send: (alert, used, to) => this.services.sendAlert(this.require(), alert, used, to),
    });
    const note = async () => !this.organisation || this.isDeleted() || this.services.noteWork(this.require().id);
    const atWork = new AtWork(this.services.now, note);
    this.timers = new Timers(
      this.sql,
      this.services.now,
      {
        outbox: () => {
          alerts.check();
          return this.outbox.work();
        },
        erasure: () => this.erasures.work(),
        ledger: (now) => {
          const expired = this.upkeep.expireLedger(now);
          if (usage.isDue(now)) this.timers.arm('outbox', now);
          return expired;
        },
        recompute: () => this.recompute(),
        bulk: (now) => bulk.wakeWorkers(now),
        bulk_files: (now) => bulk.deleteFiles(now),
        bulk_mails: (now) => bulk.sendMails(now),
        invitation_mails: () =>
          sendInvitationMails({
            sql: this.sql,
            now: () => this.now(),
            send: (invitation) => this.services.sendInvitation(this.require(), invitation),
          }),
        alert_mails: () => alerts.sendMails(),
      },
      (dueAt) => {
        void ctx.storage.setAlarm(dueAt - this.services.clockOffsetMs);
        atWork.dueAt(dueAt);
      },
      (timer, error) => log(failureLevel(error), 'timer_failed', { timer, ...describeError(error) }),
    );
    if (this.organisation !== null && this.organisation !== 'deleted') {
      ensureDefaultPolicy(this.change(), this.organisation.createdAt);
      // This timer has no row.
      const waitsSince = this.outbox.waitingSince();
      if (waitsSince !== null) this.timers.arm('outbox', waitsSince + DRAIN_DELAY_MS);
    }
  }

  protected now(): number {
    return this.services.now();
  }

  /**
   * Returns without waiting for the timers' work, because the platform delays the next alarm until this one has returned.
   */
  override async alarm(): Promise<void> {
    void this.timers.ring();
  }

  async admit(request: Input<'admit'>): Output<'admit'> {
    return this.authorize(request);
  }

  private authorize(
    request: AdmitRequest,
    conclude?: (admitted: AdmitAnswer) => Conclusion | null,
  ): AdmitAnswer | Refused {
    const { sql, organisation } = this;
    if (organisation === null) log('error', 'empty_object', { trace_id: request.traceId });
    if (organisation === null || organisation === 'deleted') return { ok: false, refusal: 'unauthorized', rate: null };
    const now = this.now();
    const isFull = this.ctx.storage.sql.databaseSize > STORAGE_FULL_BYTES;
    const known = findKnown(this.history, now);
    const answer = this.transact(() =>
      authorize(sql, organisation, request, now, isFull, this.written, known, conclude),
    );
    if (answer.ok && !request.faulty) this.timers.arm('ledger', now + HOUR_MS);
    return answer;
  }

  async verify({ admit, observed, request, providers }: Input<'verify'>): Output<'verify'> {
    const judge = (admitted: AdmitAnswer): Concluded | null => {
      const assessment = assess(observed, accountOf(admitted), request, providers, this.now());
      return assessment.kind === 'open' ? null : assessment;
    };
    let concluded: Concluded | null = null;
    const answer = this.authorize(admit, (admitted) => {
      concluded = judge(admitted);
      return concluded && conclusionOf(concluded, this.isLarge());
    });
    if (!answer.ok) return answer;
    const { earlier } = answer;
    if (earlier !== null && earlier.answer !== null)
      return { ...answer, concluded: JSON.parse(earlier.answer) as KeptVerification };
    // Our own transport sent a finished request again: it gets the same answer once more.
    if (earlier !== null) concluded = judge(answer);
    else if (concluded !== null) this.drainSoon();
    return { ...answer, concluded: concluded && keptOf(concluded) };
  }

  async finish(request: Input<'finish'>): Output<'finish'> {
    if (this.organisation === null || this.organisation === 'deleted') return { answer: request.answer };
    const now = this.now();
    const kept = this.isLarge() && request.trace.kind === 'trace' ? withoutDetail(request) : request;
    const committed = this.transact(() => {
      if (kept.learnt !== null) this.learn([kept.learnt]);
      return commit(this.sql, kept, now, this.written);
    });
    this.drainSoon();
    return committed;
  }

  async reverse(operationId: string, traceId: string): Promise<void> {
    this.transact(() => reverse(this.sql, operationId, this.now(), traceId));
  }

  async usage(): Output<'usage'> {
    return { usage: readMeter(this.sql, this.now()).usage, limits: this.require().limits };
  }

  async addRules(change: Input<'addRules'>): Output<'addRules'> {
    return this.transact(() => addRules(this.change(), change));
  }

  async removeRules(change: Input<'removeRules'>): Output<'removeRules'> {
    return this.transact(() => removeRules(this.change(), change));
  }

  async listRules(page: Input<'listRules'>): Output<'listRules'> {
    const { kind, rule, search } = page;
    return {
      entries: listRules(this.sql, page),
      count: search === null ? countRules(this.sql, kind, rule) : countFound(this.sql, kind, rule, search),
    };
  }

  async reserveEnrichment(hold: Input<'reserveEnrichment'>): Output<'reserveEnrichment'> {
    const { limits } = this.require();
    return this.transact(() => reserve(this.sql, this.now(), limits, 'enrichment', hold));
  }

  async reserveProviders(hold: Input<'reserveProviders'>): Output<'reserveProviders'> {
    const { limits } = this.require();
    return this.transact(() => reserve(this.sql, this.now(), limits, 'providers', hold));
  }

  async putPolicy(change: Input<'putPolicy'>): Output<'putPolicy'> {
    return this.transact(() => putPolicy(this.change(), change));
  }

  async readPolicy(policy: Input<'readPolicy'>): Output<'readPolicy'> {
    const { slug, version } = policy;
    return findPolicy(this.sql, slug, version);
  }

  async listPolicies(page: Input<'listPolicies'>): Output<'listPolicies'> {
    const { limit, before } = page;
    return listPolicies(this.sql, limit, before);
  }

  async putLosses(change: Input<'putLosses'>): Output<'putLosses'> {
    return this.transact(() => putLosses(this.change(), change));
  }

  async readLosses(losses: Input<'readLosses'>): Output<'readLosses'> {
    return findLosses(this.sql, losses.version);
  }

  async flush(traceId: Id<'vr' | 'dc'> | null, addressesOf?: readonly Id<'vr' | 'dc'>[]): Output<'flush'> {
    const drained = await within(this.outbox.drain(), FLUSH_LIMIT_MS);
    const heldAddresses = addressesOf && store.findHeldAddresses(this.sql, addressesOf);
    return { drained: drained === true, ...store.findHeld(this.sql, traceId), ...(heldAddresses && { heldAddresses }) };
  }

  async create(settings: OrganisationSettings, admin?: MemberRecord): Output<'create'> {
    if (this.organisation === null) this.fill(settings, admin);
  }

  async configure(change: { name?: string; limits?: Partial<Limits> }): Promise<OrganisationSettings | null> {
    const { organisation } = this;
    if (organisation === null || organisation === 'deleted') return null;
    const limits = { ...organisation.limits, ...change.limits };
    const parts = [...(change.name === undefined ? [] : ['renamed']), ...Object.keys(change.limits ?? {})];
    return this.transact(() => {
      const saved = this.save({ ...organisation, ...change, limits, version: organisation.version + 1 });
      const target = organisation.id;
      audit(this.change(), { actor: 'operator', action: 'organisation.changed', target, summary: parts.join(', ') });
      this.jobs.resumePaused();
      return saved;
    });
  }

  async settings(): Output<'settings'> {
    return this.organisation;
  }

  async status(): Output<'status'> {
    if (this.organisation === null || this.organisation === 'deleted') return null;
    return objectStatus(this.sql, this.now());
  }

  async trimHistory(slice: Input<'trimHistory'>): Output<'trimHistory'> {
    const trimmed = this.transact(() => this.history.trim(slice, this.now()));
    if (trimmed.next === null && this.history.isChanged) this.timers.advance('recompute', this.now() + 1);
    return trimmed;
  }

  async recomputeHistory(): Promise<void> {
    if (this.history.isChanged) this.timers.advance('recompute', this.now() + 1);
  }

  async restoreHistory(page: Input<'restoreHistory'>): Output<'restoreHistory'> {
    // Each slice is known by itself, and a repeat changes nothing: a page that failed midway comes again.
    const slices = Array.from({ length: Math.ceil(page.learnt.length / LEARNT_AT_ONCE) }, (_, at) =>
      page.learnt.slice(at * LEARNT_AT_ONCE, (at + 1) * LEARNT_AT_ONCE),
    );
    await inSteps(
      () => {
        if (this.organisation === 'deleted') throw new Error('a deleted organisation stays deleted');
        const slice = slices.shift();
        if (slice !== undefined) this.transact(() => this.learn(slice));
        return slices.length === 0;
      },
      () => true,
    );
    return null;
  }

  async restoreLosses(versions: Input<'restoreLosses'>): Promise<void> {
    if (this.organisation === 'deleted') throw new Error('a deleted organisation stays deleted');
    this.transact(() => {
      for (const version of versions) insertLosses(this.sql, version);
    });
  }

  async restorePolicies(versions: Input<'restorePolicies'>): Promise<void> {
    if (this.organisation === 'deleted') throw new Error('a deleted organisation stays deleted');
    this.transact(() => {
      for (const version of versions) insertPolicy(this.sql, version);
    });
  }

  async restoreAudit(page: Input<'restoreAudit'>): Output<'restoreAudit'> {
    if (this.organisation === 'deleted') throw new Error('a deleted organisation stays deleted');
    this.transact(() => restoreAudit(this.sql, page.lines));
    return null;
  }

  async rebuild(snapshot: Input<'rebuild'>): Promise<void> {
    if (this.organisation === 'deleted') throw new Error('a deleted organisation stays deleted');
    this.transact(() => {
      rebuild(this.sql, snapshot, this.now());
      const current = this.organisation as OrganisationSettings | null;
      if (current === null || current.version < snapshot.settings.version) this.save(snapshot.settings);
    });
  }

  /** When this returns, all data of the organisation is gone, here and on its way to Postgres. */
  async destroy(): Promise<void> {
    const stopped = Promise.all([this.outbox.stop(), this.erasures.stop()]);
    this.transact(() => {
      for (const table of CONTENT_TABLES) this.sql.exec(`delete from ${table}`);
      store.writeOrganisation(this.sql, null);
      this.organisation = 'deleted';
    });
    this.timers.clear();
    await this.ctx.storage.deleteAlarm();
    await stopped;
  }

  async forget(addressHash: string, keepsUsers = false): Output<'forget'> {
    if (this.organisation === 'deleted')
      return { rules: 0, answers: 0, histories: 0, reports: 0, drained: true, isGone: true };
    const isLive = this.organisation !== null;
    const rules = isLive
      ? this.transact(() => {
          // Should the caller die before it has erased the rows, the object does it.
          const finishAt = this.now() + ERASE_AFTER_MS;
          store.putErasure(this.sql, { addressHash, keepsUsers }, finishAt);
          store.markErased(this.sql, erasedMark(rowName(addressHash)), this.now());
          this.timers.arm('erasure', finishAt);
          return forgetAddress(this.change(), addressHash);
        })
      : 0;
    // The removal of a rule names the address on its way to Postgres.
    const drained = await within(this.outbox.drain(), FLUSH_LIMIT_MS);
    const held = this.transact(() => {
      const answers = forgetHeld(this.sql, addressHash);
      return { answers, ...this.history.forget(addressHash, this.now()) };
    });
    return { rules, ...held, drained: drained === true };
  }

  async eraseLater(addressHash: string, keepsUsers = false): Promise<void> {
    this.require();
    const now = this.now();
    store.putErasure(this.sql, { addressHash, keepsUsers }, now);
    if (this.erasures.isFailing) this.timers.arm('erasure', now);
    // By the alarm: the caller does not wait for it.
    else this.timers.advance('erasure', now + 1);
  }

  async erased(addressHash: string): Promise<void> {
    store.deleteErasures(this.sql, [addressHash]);
  }

  async addressKept(address: Input<'addressKept'>): Output<'addressKept'> {
    const { addressHash } = address;
    const [rule = null] = findRules(this.sql, 'address', 'key', [addressHash]);
    return { rule, answers: listAnswers(this.sql, addressHash), history: this.history.about(addressHash) };
  }

  async tick(): Promise<void> {
    await this.timers.run();
  }

  protected switchedOff(): readonly string[] {
    return this.require().privacy?.off ?? [];
  }

  protected isDeleted(): boolean {
    return this.organisation === 'deleted';
  }

  protected mailInvitations(): void {
    this.timers.arm('invitation_mails', this.now());
  }

  protected drainSoon(): void {
    this.timers.arm('outbox', this.now() + DRAIN_DELAY_MS);
  }

  protected transact<T>(work: () => T): T {
    try {
      return this.timers.transact((all) => this.sql.transact(all), work);
    } catch (error) {
      this.history.reread();
      throw error;
    }
  }

  protected learn(news: readonly Observation[]): void {
    this.history.learn(news, this.now());
  }

  private readonly isLarge = (): boolean => this.ctx.storage.sql.databaseSize > STORAGE_LARGE_BYTES;

  /** Goes on in another alarm after so many steps, as the CPU time of one is limited. */
  private readonly inOneAlarm = (steps: number): boolean => steps < STEPS_AT_ONCE && !this.isDeleted();

  /** The recompute timer. */
  private async recompute(): Promise<() => number | null> {
    const isWhole = await inSteps(() => this.transact(() => this.history.recomputeOn(this.now())), this.inOneAlarm);
    return () => (isWhole ? null : this.now());
  }

  protected require(): OrganisationSettings {
    if (this.organisation === null || this.organisation === 'deleted')
      throw new Error('no organisation in this object');
    return this.organisation;
  }

  protected save(settings: OrganisationSettings): OrganisationSettings {
    store.writeOrganisation(this.sql, settings);
    this.organisation = settings;
    this.project('organisation', settings.id, settings);
    ensureDefaultPolicy(this.change(), settings.createdAt);
    return settings;
  }

  protected change(): ChangeDeps {
    this.require();
    return {
      sql: this.sql,
      now: this.now(),
      project: (kind, id, record) => this.project(kind, id, record),
    };
  }

  private project(kind: Exclude<OutboxRow['kind'], 'trace'>, id: string, record: object): void {
    const { id: organisationId } = this.require();
    const now = this.now();
    if (REPLACED.has(kind)) store.dropProjected(this.sql, kind, id);
    store.appendOutbox(this.sql, kind, id, JSON.stringify({ ...record, organisationId }), now);
    this.timers.arm('outbox', now);
  }
}
