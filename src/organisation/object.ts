import { DurableObject } from 'cloudflare:workers';
import type { AuditFilter, AuditLine, AuditNote, Author, KeyRecord } from '../domain/access/keys.ts';
import type { MemberRecord } from '../domain/access/member-records.ts';
import type { Observation } from '../domain/belief/facts.ts';
import type { CachedSample, JobRecord, ProjectedJob } from '../domain/bulk/job-record.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { PolicyChange, PolicyPage, PolicyVersion } from '../domain/policy/document.ts';
import type { LossesChange, LossesVersion } from '../domain/router/losses.ts';
import type { AddRules, RemoveRules, RulePage } from '../domain/rules/rules.ts';
import type { Id } from '../kernel/ids.ts';
import type {
  AuthorizeAnswer,
  AuthorizeRequest,
  DecideAnswer,
  DecideRequest,
  CommitRequest,
  HistorySlice,
  Refused,
  RuleLookup,
  VerifyAnswer,
  VerifyRequest,
} from './authorization.ts';
import { sendAlertMails } from './alerts.ts';
import {
  BulkCalls,
  type FailedChunk,
  type FinishedChunk,
  type JobMoveCall,
  type JobPage,
  type ChunkLease,
} from './bulk/calls.ts';
import { BulkJobs } from './bulk/jobs.ts';
import { BulkTimers } from './bulk/timers.ts';
import { audit, type ChangeDeps, listAudit, restoreAudit } from './changes.ts';
import { ObjectCore, type ObjectServices } from './core.ts';
import { Erasures } from './erasure.ts';
import { recompute, recomputeSoon, restoreHistory, trimHistory } from './history-work.ts';
import * as keys from './keys.ts';
import * as members from './members.ts';
import { Metering, type Reservation } from './metering.ts';
import { Operations } from './operations.ts';
import { OutboxDrain } from './outbox-drain.ts';
import * as policies from './policies.ts';
import { type Rehash, applyRehashes } from './rehash.ts';
import { type OrganisationSnapshot, rebuild, restore } from './settings.ts';
import * as rules from './rules.ts';
import * as settings from './settings.ts';
import { findKey, listKeys, pageKeys } from './keys.ts';
import { hasPerson, listInvitations, listMembers, nextExpiry } from './sql/members.ts';
import { deleteErasures } from './sql/organisation.ts';
import { FlushedOperations } from './flushed.ts';

/**
 * An organisation's object. Its SQLite is the truth for keys, settings, counts and rules; Postgres gets a projection
 * through the outbox. Every method is idempotent, and never awaits between its writes.
 */
export class OrganisationObject extends DurableObject<Env> {
  private readonly core: ObjectCore;
  private readonly metering: Metering;
  private readonly operations: Operations;
  private readonly outbox: OutboxDrain;
  private readonly erasures: Erasures;
  private readonly jobs: BulkJobs;
  private readonly bulk: BulkCalls;

  constructor(ctx: DurableObjectState, env: Env, services: ObjectServices) {
    super(ctx, env);
    this.core = new ObjectCore(ctx.storage, services);
    const flushed = new FlushedOperations(this.core.sql);
    this.metering = new Metering(this.core);
    this.operations = new Operations(this.core, flushed);
    this.outbox = new OutboxDrain(this.core, flushed, this.metering);
    this.erasures = new Erasures(this.core, this.outbox);
    this.jobs = new BulkJobs(this.core);
    this.bulk = new BulkCalls(this.core, this.jobs);
    const bulkTimers = new BulkTimers(this.core, this.jobs);
    this.core.begin({
      outbox: () => this.outbox.work(),
      erasure: () => this.erasures.work(),
      expiry: (now) => this.metering.expire(now),
      recompute: () => recompute(this.core),
      bulk: (now) => bulkTimers.wakeWorkers(now),
      bulk_files: (now) => bulkTimers.deleteFiles(now),
      bulk_mails: (now) => bulkTimers.sendMails(now),
      people_mails: () => members.sendPeopleMails(this.core),
      invitations: () => members.expireInvitations(this.core),
      alert_mails: () => sendAlertMails(this.core),
    });
    // This timer has no row.
    const waitsSince = this.core.live === null ? null : this.outbox.waitingSince();
    if (waitsSince !== null) this.core.drainSoon(waitsSince);
  }

  /** Does not wait for the timers' work, because the platform delays the next alarm until this one has returned. */
  override async alarm(): Promise<void> {
    void this.core.timers.ring();
  }

  async tick() {
    await this.core.timers.run();
  }

  /** Does what a call asks once what stands under earlier hashes of its addresses, and of others, is moved. */
  async callRehashed(rehashes: readonly Rehash[], method: string, sent: readonly unknown[]): Promise<unknown> {
    if (this.core.live !== null) applyRehashes(this.core, rehashes);
    return (this as unknown as Record<string, (...given: readonly unknown[]) => Promise<unknown>>)[method]?.(...sent);
  }

  async authorize(request: AuthorizeRequest): Promise<AuthorizeAnswer | Refused> {
    return this.operations.authorize(request);
  }

  async verify(request: VerifyRequest): Promise<VerifyAnswer | Refused> {
    return this.operations.verify(request);
  }

  async decide(request: DecideRequest): Promise<DecideAnswer | Refused> {
    return this.operations.decide(request);
  }

  /** Stores the records for Postgres and books the spend. A repeat returns the first answer and writes nothing. */
  async commit(request: CommitRequest) {
    return this.operations.commit(request);
  }

  /** Reverses the charge of a failed operation unless another request works on it. */
  async reverse(operationId: string, traceId: string) {
    this.operations.reverse(operationId, traceId);
  }

  /** A request that read many traces has its answer. */
  async endAnalysis({ traceId }: { readonly traceId: string }) {
    this.operations.endAnalysis(traceId);
  }

  async usage() {
    return this.metering.read();
  }

  async reserve(reservation: Reservation) {
    return this.metering.reserve(reservation);
  }

  async status() {
    return this.metering.status();
  }

  /** Flushes the outbox for at most 2 s; returns what is still unwritten about `traceId` and `addressesOf`. */
  async flush(traceId: Id<'vr' | 'dc'> | null, addressesOf?: readonly Id<'vr' | 'dc'>[]) {
    return this.outbox.flush(traceId, addressesOf);
  }

  /** Moves entries to a list, from the other if needed: all of them, or none if the limit is exceeded. */
  async addRules(change: AddRules) {
    return this.core.change((deps) => rules.addRules(deps, change));
  }

  async removeRules(change: RemoveRules) {
    return this.core.change((deps) => rules.removeRules(deps, change));
  }

  async listRules(page: RulePage) {
    return rules.readRules(this.core.sql, page);
  }

  /** Saves a document as the newest version, unless it already is. In force at once. */
  async putPolicy(change: PolicyChange) {
    return this.core.change((deps) => policies.putPolicy(deps, change));
  }

  /** `version` null means the newest. Null if the account lacks the policy or version. */
  async readPolicy({ slug, version }: { readonly slug: string; readonly version: number | null }) {
    return policies.findPolicy(this.core.sql, slug, version);
  }

  /** Each policy's newest version, newest policy first, as many as fit; null if `before` is not a policy. */
  async listPolicies({ limit, before }: PolicyPage) {
    return policies.listPolicies(this.core.sql, limit, before);
  }

  /** Saves the account's losses as the newest version, unless they already are. In force at once. */
  async putLosses(change: LossesChange) {
    return this.core.change((deps) => policies.putLosses(deps, change));
  }

  /** `version` null means the newest. Null if the account lacks the version, or has none. */
  async readLosses({ version }: { readonly version: number | null }) {
    return policies.findLosses(this.core.sql, version);
  }

  /** Fills an empty object. `admin` becomes a member. */
  async create(organisation: OrganisationSettings, admin?: MemberRecord) {
    settings.create(this.core, organisation, admin);
  }

  async configure(change: settings.Configuration) {
    return this.core.transact(() => {
      const saved = settings.configure(this.core, change);
      if (saved !== null) this.jobs.resumePaused();
      return saved;
    });
  }

  async changeOrganisation(change: settings.OrganisationChange) {
    return settings.changeOrganisation(this.core, change);
  }

  /** `deleted`: a tombstone. Null: the object was never filled, or lost its data. */
  async settings() {
    return this.core.settings;
  }

  /** Leaves a tombstone that refuses every key for good. On return all data is gone, here and in the outbox. */
  async destroy() {
    const stopped = Promise.all([this.outbox.stop(), this.erasures.stop()]);
    await this.core.wipe();
    await stopped;
  }

  /** Inserts an operator's new key; false if it exists. */
  async insertKey(key: KeyRecord) {
    return this.core.change((deps) => keys.enterKey(deps, key));
  }

  async revokeKey(id: Id<'key'>) {
    return this.core.change((deps) => keys.revokeAnyKey(deps, id));
  }

  async listKeys(): Promise<readonly KeyRecord[]> {
    return listKeys(this.core.sql);
  }

  /** The keys that are not an operator's, newest first. */
  async pageKeys(page: keys.KeyPage) {
    return pageKeys(this.core.sql, page, this.core.now());
  }

  async findKey({ id }: { readonly id: Id<'key'> }) {
    return findKey(this.core.sql, id);
  }

  async createKey(creation: keys.KeyCreation) {
    return this.core.change((deps) => keys.createKey(deps, creation));
  }

  async changeKey(change: keys.KeyChange) {
    return this.core.change((deps) => keys.changeKey(deps, change));
  }

  async rotateKey(rotation: keys.KeyRotation) {
    return this.core.change((deps) => keys.rotateKey(deps, rotation));
  }

  async endKey(end: keys.KeyEnd) {
    return this.core.change((deps) => keys.endKey(deps, end));
  }

  /** A change whose mails are sent a moment later. */
  private changePeople<T>(work: (deps: ChangeDeps) => T): T {
    const answer = this.core.change(work);
    if (members.hasMails(this.core)) this.core.timers.arm('people_mails', this.core.now());
    return answer;
  }

  /** Role and dashboard key of a member; null for a person who is no member. */
  async memberOf({ userId }: { readonly userId: Id<'u'> }) {
    return members.membershipOf(this.core, userId);
  }

  async listMembers() {
    return listMembers(this.core.sql).map(members.withoutKey);
  }

  /** Adds a member, or leaves an existing one unchanged. */
  async putMember({ member, ...author }: Author & { readonly member: MemberRecord }) {
    return this.changePeople((deps) => members.putMember(deps, member, author));
  }

  async changeMember(change: members.RoleChange) {
    return this.changePeople((deps) => members.changeMember(deps, change));
  }

  /** The person's keys are refused from then on. */
  async removeMember(removal: members.Removal) {
    return this.changePeople((deps) => members.removeMember(deps, removal));
  }

  /** Erasure: removes the member and the invitation with this normalised address, even the last admin. */
  async dropPerson({ email }: { readonly email: string }) {
    return hasPerson(this.core.sql, email) ? this.changePeople((deps) => members.dropPerson(deps, email)) : null;
  }

  async listInvitations() {
    return listInvitations(this.core.sql, this.core.now()).map(members.withoutMail);
  }

  async invite(invitation: members.NewInvitation) {
    const answer = this.changePeople((deps) => members.invite(deps, invitation));
    this.armExpiry();
    return answer;
  }

  private armExpiry(): void {
    const next = nextExpiry(this.core.sql);
    if (next !== null) this.core.timers.arm('invitations', next);
  }

  async withdrawInvitation(withdrawal: members.Withdrawal) {
    return this.core.change((deps) => members.withdrawInvitation(deps, withdrawal));
  }

  /** For a person who has proved to own `email`. */
  async acceptInvitation(acceptance: members.Acceptance) {
    return this.changePeople((deps) => members.acceptInvitation(deps, acceptance));
  }

  async listAudit(page: AuditPage) {
    return listAudit(this.core.sql, page);
  }

  /** Adds an audit entry for a change outside the object. */
  async noteAudit({ note }: { readonly note: AuditNote }) {
    return this.core.change((deps) => audit(deps, note));
  }

  /**
   * Drops what the object stores about an address. Unless `erased` follows within a minute, it also unlinks the rows in
   * Postgres. `keepsUsers`: the organisation's users with the address stay.
   */
  async forget(addressHash: string, keepsUsers = false) {
    return this.erasures.forget(addressHash, keepsUsers);
  }

  /** Unlinks the address in Postgres once everything now in the outbox is written. */
  async eraseLater(addressHash: string, keepsUsers = false) {
    this.erasures.later(addressHash, keepsUsers);
  }

  async erased(addressHash: string) {
    deleteErasures(this.core.sql, [addressHash]);
  }

  async addressKept({ addressHash }: { readonly addressHash: string }) {
    return this.erasures.kept(addressHash);
  }

  /** A slice of the nightly pass over the addresses. */
  async trimHistory(slice: HistorySlice) {
    return trimHistory(this.core, slice);
  }

  /** Recomputes all groups in steps after this call. */
  async recomputeHistory() {
    recomputeSoon(this.core);
  }

  /** Part of a rebuild: like all restore calls, it inserts what is missing. */
  async restoreHistory({ observations }: { readonly observations: readonly Observation[] }) {
    return restoreHistory(this.core, observations);
  }

  async restoreAudit({ lines }: { readonly lines: readonly AuditLine[] }) {
    return restore(this.core, lines, restoreAudit);
  }

  async restorePolicies(versions: readonly PolicyVersion[]) {
    return restore(this.core, versions, policies.insertPolicy);
  }

  async restoreLosses(versions: readonly LossesVersion[]) {
    return restore(this.core, versions, policies.insertLosses);
  }

  async restoreJobs({ jobs }: { readonly jobs: readonly Omit<ProjectedJob, 'organisationId'>[] }) {
    return this.bulk.restore(jobs);
  }

  async rebuild(snapshot: OrganisationSnapshot) {
    rebuild(this.core, snapshot);
    this.armExpiry();
  }

  async createJob({ record }: { readonly record: JobRecord }) {
    return this.bulk.create(record);
  }

  /** Until a job starts, `policyVersion` is the version in force. */
  async findJob({ id }: { readonly id: Id<'bj'> }) {
    return this.bulk.find(id);
  }

  /** Newest first. */
  async listJobs(page: JobPage) {
    return this.bulk.list(page);
  }

  async moveJob(call: JobMoveCall) {
    return this.bulk.move(call);
  }

  async noteSample({ id, sample }: { readonly id: Id<'bj'>; readonly sample: CachedSample }) {
    return this.bulk.noteSample(id, sample);
  }

  /** Null means the job has nothing to do now. */
  async claimChunk({ id, lease }: { readonly id: Id<'bj'>; readonly lease: string }) {
    return this.bulk.claim(id, lease);
  }

  async renewChunk(held: ChunkLease) {
    return this.bulk.renew(held);
  }

  /** `lost`: the lease has ended and nothing changed. `last`: the job is now done. */
  async finishChunk(chunk: FinishedChunk) {
    return this.bulk.finish(chunk);
  }

  async failChunk(chunk: FailedChunk) {
    return this.bulk.fail(chunk);
  }

  /** `jobId`: also returns which addresses were erased since the job was made. */
  async matchRules({ lookups, jobId }: { readonly lookups: readonly RuleLookup[]; readonly jobId?: Id<'bj'> }) {
    return this.bulk.match(lookups, jobId);
  }

  async listResults({ id }: { readonly id: Id<'bj'> }) {
    return this.bulk.results(id);
  }
}

interface AuditPage extends AuditFilter {
  readonly limit: number;
  readonly before: Id<'au'> | null;
}
