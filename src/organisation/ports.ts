import type { AuditEntry, AuditLine, AuditNote } from '../domain/access/audit.ts';
import type { Role } from '../domain/access/key-format.ts';
import type { Actor, KeyRecord, ListedKey } from '../domain/access/key-record.ts';
import type { InvitationRecord, MemberRecord } from '../domain/access/member-records.ts';
import type { Observation } from '../domain/belief/facts.ts';
import type { CachedSample, JobMove, JobRecord, Moved, ProjectedJob, ResultPart } from '../domain/bulk/job-record.ts';
import type { CounterTotals } from '../domain/metering/counter-totals.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { Limits, Usage } from '../domain/metering/usage.ts';
import type {
  ListedPolicies,
  PolicyChange,
  PolicyPage,
  PolicyRefused,
  PolicySaved,
  PolicyVersion,
} from '../domain/policy/policy-records.ts';
import type { LossesChange, LossesConflict, LossesSaved, LossesVersion } from '../domain/router/losses.ts';
import type {
  AddRules,
  ListedRules,
  RemoveRules,
  RulePage,
  RulesAdded,
  RulesFull,
  RulesRemoved,
} from '../domain/rules/types.ts';
import type { Id } from '../kernel/ids.ts';
import type {
  AcceptAnswer,
  AuditPage,
  InvitationAnswer,
  KeyAnswer,
  KeyChange,
  KeyCreation,
  KeyPage,
  KeyRotation,
  MemberAnswer,
  Membership,
  OrganisationChange,
} from './access-calls.ts';
import type {
  AddressKept,
  AdmitAnswer,
  AdmitRequest,
  ClaimedRange,
  DeadLetter,
  FailedRange,
  Finished,
  FinishedRange,
  FinishRequest,
  Flushed,
  Forgotten,
  HistorySlice,
  JobPage,
  ObjectStatus,
  OperatorsRecord,
  OrganisationSnapshot,
  ProbeMatch,
  RangeLease,
  Refused,
  RuleProbe,
  TrimmedHistory,
  VerifyAnswer,
  VerifyRequest,
} from './calls.ts';

/** The organisation's object as the rest of the service sees it. Every call is safe to repeat. */
export interface OrganisationPort {
  admit(request: AdmitRequest): Promise<AdmitAnswer | Refused>;
  /** `admit`, and where no provider is worth asking the judgement, kept in the same transaction. */
  verify(request: VerifyRequest): Promise<VerifyAnswer | Refused>;
  /** Puts the trace into the outbox and books the spend. A repeat returns the first answer and writes nothing. */
  finish(request: FinishRequest): Promise<Finished>;
  /** Takes back the charge of a failed operation unless another request works on it. */
  reverse(operationId: string, traceId: string): Promise<void>;
  usage(): Promise<{ readonly usage: Usage; readonly limits: Limits }>;
  /** Puts entries on a list and takes them from the other, at once: all of them, or none when the limit is exceeded. */
  addRules(change: AddRules): Promise<RulesAdded | RulesFull>;
  removeRules(change: RemoveRules): Promise<RulesRemoved>;
  listRules(page: RulePage): Promise<ListedRules>;
  /**
   * Reserves up to `totalMicros` in all for a request's enrichment; false when the month's budget has less left. The
   * reservation counts as spent until `finish` brings the real sum.
   */
  reserveEnrichment(hold: { readonly requestId: string; readonly totalMicros: number }): Promise<boolean>;
  /** The same of the month's provider budget, for a request's providers. */
  reserveProviders(hold: { readonly requestId: string; readonly totalMicros: number }): Promise<boolean>;
  /** Saves a document as the newest version, unless it already is. In force at once. */
  putPolicy(change: PolicyChange): Promise<PolicySaved | PolicyRefused>;
  /** `version` null: the newest. Returns null when the account lacks the policy or version. */
  readPolicy(policy: { readonly slug: string; readonly version: number | null }): Promise<PolicyVersion | null>;
  /** The newest version of each policy, newest policy first, as many as fit a message; null when `before` is not a policy. */
  listPolicies(page: PolicyPage): Promise<ListedPolicies | null>;
  /** Saves a document as the newest version of the account's losses, unless it already is. In force at once. */
  putLosses(change: LossesChange): Promise<LossesSaved | LossesConflict>;
  /** `version` null: the newest. Returns null where the account has no such version, or none of its own. */
  readLosses(losses: { readonly version: number | null }): Promise<LossesVersion | null>;
  /** Writes the outbox for at most 2 s, and returns what it could not write of `traceId` and `addressesOf`. */
  flush(traceId: Id<'vr' | 'dc'> | null, addressesOf?: readonly Id<'vr' | 'dc'>[]): Promise<Flushed>;
}

/** What the operator API may do to an organisation. */
export interface OrganisationAdministration {
  /** Fills an empty object. `admin` is a member from then on. */
  create(settings: OrganisationSettings, admin?: MemberRecord): Promise<void>;
  configure(change: {
    readonly name?: string;
    readonly limits?: Partial<Limits>;
  }): Promise<OrganisationSettings | null>;
  /** `deleted`: a tombstone. Null: the object was never filled, or lost its data. */
  settings(): Promise<OrganisationSettings | 'deleted' | null>;
  insertKey(key: KeyRecord): Promise<boolean>;
  revokeKey(id: Id<'key'>): Promise<KeyRecord | null>;
  listKeys(): Promise<readonly KeyRecord[]>;
  status(): Promise<ObjectStatus | null>;
  /**
   * Drops what the object keeps about an address. Until `erased` says that its rows in Postgres are cut off, the object does that
   * itself after a minute. `keepsUsers`: the organisation's users with the address stay.
   */
  forget(addressHash: string, keepsUsers?: boolean): Promise<Forgotten>;
  /** Has the address cut off from its rows in Postgres, after everything now in the outbox is written. */
  eraseLater(addressHash: string, keepsUsers?: boolean): Promise<void>;
  erased(addressHash: string): Promise<void>;
  addressKept(address: { readonly addressHash: string }): Promise<AddressKept>;
  /** A slice of the night's pass over the addresses. */
  trimHistory(slice: HistorySlice): Promise<TrimmedHistory>;
  /** Has the groups of all addresses recomputed, in steps behind this call. */
  recomputeHistory(): Promise<void>;
  /** Enters what is missing; part of a rebuild. */
  restoreHistory(page: { readonly learnt: readonly Observation[] }): Promise<null>;
  /** Enters missing lines of the audit log; part of a rebuild. */
  restoreAudit(page: { readonly lines: readonly AuditLine[] }): Promise<null>;
  /** Enter missing versions; part of a rebuild. */
  restorePolicies(versions: readonly PolicyVersion[]): Promise<void>;
  restoreLosses(versions: readonly LossesVersion[]): Promise<void>;
  rebuild(snapshot: OrganisationSnapshot): Promise<void>;
  /** Deletes everything and leaves a tombstone that refuses every key for good. */
  destroy(): Promise<void>;
  tick(): Promise<void>;
}

/** People, keys and the log of who changed what. All of it works without Postgres, and every call is safe to repeat. */
export interface AccessPort {
  /** Role and dashboard key of a member; null: the person is not a member. */
  memberOf(call: { readonly userId: Id<'u'> }): Promise<Membership | null>;
  listMembers(): Promise<readonly MemberRecord[]>;
  /** Adds a member, or leaves the one that is there as it is. */
  putMember(call: { readonly member: MemberRecord; readonly actor: Actor }): Promise<MemberAnswer>;
  changeMember(call: { readonly userId: Id<'u'>; readonly role: Role; readonly actor: Actor }): Promise<MemberAnswer>;
  /** The person's keys are refused from then on. */
  removeMember(call: { readonly userId: Id<'u'>; readonly actor: Actor }): Promise<MemberAnswer>;
  /** Erasure: removes the member and the invitation with this address (normalised), the last admin too. */
  dropPerson(call: { readonly email: string }): Promise<null>;
  listInvitations(): Promise<readonly InvitationRecord[]>;
  /** Its mail is sent a moment later. */
  invite(call: { readonly invitation: InvitationRecord }): Promise<InvitationAnswer>;
  withdrawInvitation(call: { readonly id: Id<'inv'>; readonly actor: Actor }): Promise<boolean>;
  /** For a person who has proved to own `email`. */
  acceptInvitation(call: {
    readonly id: Id<'inv'>;
    readonly person: Pick<MemberRecord, 'userId' | 'email' | 'name'>;
  }): Promise<AcceptAnswer>;
  /** The keys that are not an operator's, newest first. */
  pageKeys(page: KeyPage): Promise<readonly ListedKey[]>;
  findKey(call: { readonly id: Id<'key'> }): Promise<ListedKey | null>;
  createKey(call: KeyCreation): Promise<KeyAnswer>;
  changeKey(change: KeyChange): Promise<KeyAnswer>;
  rotateKey(rotation: KeyRotation): Promise<KeyAnswer>;
  endKey(call: { readonly id: Id<'key'>; readonly actor: Actor }): Promise<KeyAnswer>;
  changeOrganisation(change: OrganisationChange): Promise<OrganisationSettings>;
  /** Newest first. */
  listAudit(page: AuditPage): Promise<readonly AuditEntry[]>;
  /** Enters a change that the object itself does not make. */
  noteAudit(call: { readonly note: AuditNote }): Promise<null>;
}

/** An account's bulk jobs as the rest of the service sees them. Every call is safe to repeat. */
export interface BulkPort {
  createJob(call: { readonly record: JobRecord }): Promise<JobRecord>;
  /** Until a job begins, `policyVersion` is the version now in force. */
  findJob(call: { readonly id: Id<'bj'> }): Promise<JobRecord | null>;
  /** Newest first. */
  listJobs(page: JobPage): Promise<readonly JobRecord[]>;
  moveJob(call: { readonly operationId: string; readonly id: Id<'bj'>; readonly move: JobMove }): Promise<Moved>;
  noteSample(call: { readonly id: Id<'bj'>; readonly sample: CachedSample }): Promise<null>;
  /** Null: the job has nothing to do now. */
  claimRange(call: { readonly id: Id<'bj'>; readonly lease: string }): Promise<ClaimedRange | null>;
  renewRange(call: RangeLease): Promise<boolean>;
  /** `lost`: the lease has ended and nothing changed. `last`: the job is now done. */
  finishRange(call: FinishedRange): Promise<'lost' | 'kept' | 'last'>;
  failRange(call: FailedRange): Promise<boolean>;
  /** `jobId`: also tells which addresses were erased since the job was made. */
  matchRules(call: {
    readonly probes: readonly RuleProbe[];
    readonly jobId?: Id<'bj'>;
  }): Promise<readonly ProbeMatch[]>;
  listResults(call: { readonly id: Id<'bj'> }): Promise<readonly ResultPart[]>;
  restoreJobs(call: { readonly jobs: readonly Omit<ProjectedJob, 'organisationId'>[] }): Promise<null>;
}

/**
 * What the operators' own object keeps about the whole service, so that it is at hand while Postgres is away. Every call
 * is safe to repeat except `addCounters`, whose figures are for people.
 */
export interface OperatorsPort {
  noteOrganisations(ids: readonly Id<'org'>[]): Promise<void>;
  dropOrganisation(id: Id<'org'>): Promise<void>;
  listOrganisations(): Promise<readonly Id<'org'>[]>;
  /** The organisation's object has work that is due soon. */
  noteWork(id: Id<'org'>): Promise<void>;
  /** Organisations that the sweep looks after. */
  listAtWork(): Promise<readonly Id<'org'>[]>;
  /** The organisation's timers were looked at: it is taken off unless it has said meanwhile that it goes on. */
  endWork(id: Id<'org'>): Promise<void>;
  addCounters(counters: CounterTotals): Promise<void>;
  addDeadLetters(letters: readonly DeadLetter[]): Promise<void>;
  readOperations(): Promise<OperatorsRecord>;
}

export interface OrganisationStub extends OrganisationPort, OrganisationAdministration {}

/** Every call of an object. */
export interface ObjectPort extends OrganisationStub, AccessPort, BulkPort, OperatorsPort {}

/** What the object gets with a call, and what it answers. */
export type Input<M extends keyof ObjectPort> = Parameters<ObjectPort[M]>[0];
export type Output<M extends keyof ObjectPort> = ReturnType<ObjectPort[M]>;
