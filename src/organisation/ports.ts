import type { AuditEntry, AuditLine, AuditNote } from '../domain/access/audit.ts';
import type { Role } from '../domain/access/key-format.ts';
import type { Actor, KeyRecord, ListedKey } from '../domain/access/key-record.ts';
import type { InvitationRecord, MemberRecord } from '../domain/access/member-records.ts';
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
import type {
  AddRules,
  ListedRules,
  RemoveRules,
  RulePage,
  RulesAdded,
  RulesFull,
  RulesRemoved,
} from '../domain/rules/types.ts';
import type { Learnt } from '../domain/verification/history.ts';
import type { LossesChange, LossesConflict, LossesSaved, LossesVersion } from '../domain/verification/losses.ts';
import type { Id } from '../kernel/ids.ts';
import { readableUpTo, requireReadable } from '../kernel/version.ts';
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
  CalibrationInForce,
  ClaimedRange,
  DeadLetter,
  FailedRange,
  Finished,
  FinishedRange,
  FinishRequest,
  Flushed,
  Forgotten,
  HistorySample,
  HistorySlice,
  JobPage,
  ObjectStatus,
  OperatorsRecord,
  OrganisationSnapshot,
  ProbeMatch,
  RangeLease,
  Refused,
  RuleProbe,
  SampledHistory,
  TrimmedHistory,
} from './calls.ts';

/** Version of the calls to an organisation's object. During a deployment either side may be the release before. */
export const PORT_VERSION = 1;

/** Returns the call, or throws when only a later release can read it. */
export function readable<C extends { readonly v: number }>(call: C): C {
  requireReadable('a call', call.v, readableUpTo(PORT_VERSION));
  return call;
}

/** A call with the version, which the client adds. */
export type Versioned<T> = T & { readonly v: typeof PORT_VERSION };

/** The organisation's object as the rest of the service sees it. Every call is safe to repeat. */
export interface OrganisationPort {
  admit(request: Versioned<AdmitRequest>): Promise<AdmitAnswer | Refused>;
  /** Puts the trace into the outbox and books the spend. A repeat returns the first answer and writes nothing. */
  finish(request: Versioned<FinishRequest>): Promise<Finished>;
  /** Takes back the charge of a failed operation unless another request works on it. The release before sends no `traceId`. */
  reverse(operationId: string, traceId?: string): Promise<void>;
  usage(): Promise<{ readonly usage: Usage; readonly limits: Limits }>;
  /** Puts entries on a list and takes them from the other, at once: all of them, or none when the limit is exceeded. */
  addRules(change: Versioned<AddRules>): Promise<RulesAdded | RulesFull>;
  removeRules(change: Versioned<RemoveRules>): Promise<RulesRemoved>;
  listRules(page: Versioned<RulePage>): Promise<ListedRules>;
  /**
   * Reserves up to `totalMicros` in all for a request's enrichment; false when the month's budget has less left. The
   * reservation counts as spent until `finish` brings the real sum.
   */
  reserveEnrichment(hold: Versioned<{ readonly requestId: string; readonly totalMicros: number }>): Promise<boolean>;
  /** The same of the month's provider budget, for a request's providers. */
  reserveProviders(hold: Versioned<{ readonly requestId: string; readonly totalMicros: number }>): Promise<boolean>;
  /** Saves a document as the newest version, unless it already is. In force at once. */
  putPolicy(change: Versioned<PolicyChange>): Promise<PolicySaved | PolicyRefused>;
  /** `version` null: the newest. Returns null when the account lacks the policy or version. */
  readPolicy(
    policy: Versioned<{ readonly slug: string; readonly version: number | null }>,
  ): Promise<PolicyVersion | null>;
  /** The newest version of each policy, newest policy first, as many as fit a message; null when `before` is not a policy. */
  listPolicies(page: Versioned<PolicyPage>): Promise<ListedPolicies | null>;
  /** Saves a document as the newest version of the account's losses, unless it already is. In force at once. */
  putLosses(change: Versioned<LossesChange>): Promise<LossesSaved | LossesConflict>;
  /** `version` null: the newest. Returns null where the account has no such version, or none of its own. */
  readLosses(losses: Versioned<{ readonly version: number | null }>): Promise<LossesVersion | null>;
  /** Writes the outbox for at most 2 s, and returns what it could not write of `traceId` and `addressesOf`. */
  flush(traceId: Id<'vr' | 'dc'> | null, addressesOf?: readonly Id<'vr' | 'dc'>[]): Promise<Flushed>;
}

/** What the operator API may do to an organisation. */
export interface OrganisationAdministration {
  /** Fills an empty object. True: `admin` is a member from then on. The release before takes the settings alone. */
  create(settings: OrganisationSettings, admin?: MemberRecord): Promise<boolean>;
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
  addressKept(address: Versioned<{ readonly addressHash: string }>): Promise<AddressKept>;
  adoptCalibration(calibration: Versioned<CalibrationInForce>): Promise<void>;
  /** A slice of the night's pass over the addresses. */
  trimHistory(slice: Versioned<HistorySlice>): Promise<TrimmedHistory>;
  sampleHistory(slice: Versioned<HistorySample>): Promise<SampledHistory>;
  /** Enters what is missing; part of a rebuild. */
  restoreHistory(page: Versioned<{ readonly learnt: readonly Learnt[] }>): Promise<null>;
  /** Enters missing lines of the audit log; part of a rebuild. */
  restoreAudit(page: Versioned<{ readonly lines: readonly AuditLine[] }>): Promise<null>;
  /** Enters missing versions; part of a rebuild. */
  restorePolicies(versions: readonly PolicyVersion[]): Promise<void>;
  rebuild(snapshot: OrganisationSnapshot): Promise<void>;
  /** Deletes everything and leaves a tombstone that refuses every key for good. */
  destroy(): Promise<void>;
  tick(): Promise<void>;
}

/** People, keys and the log of who changed what. All of it works without Postgres, and every call is safe to repeat. */
export interface AccessPort {
  /** Role and dashboard key of a member; null: the person is not a member. */
  memberOf(call: Versioned<{ readonly userId: Id<'u'> }>): Promise<Membership | null>;
  listMembers(call: Versioned<object>): Promise<readonly MemberRecord[]>;
  /** Adds a member, or leaves the one that is there as it is. */
  putMember(call: Versioned<{ readonly member: MemberRecord; readonly actor: Actor }>): Promise<MemberAnswer>;
  changeMember(
    call: Versioned<{ readonly userId: Id<'u'>; readonly role: Role; readonly actor: Actor }>,
  ): Promise<MemberAnswer>;
  /** The person's keys are refused from then on. */
  removeMember(call: Versioned<{ readonly userId: Id<'u'>; readonly actor: Actor }>): Promise<MemberAnswer>;
  /** Erasure: removes the member and the invitation with this address (normalised), the last admin too. */
  dropPerson(call: Versioned<{ readonly email: string }>): Promise<null>;
  listInvitations(call: Versioned<object>): Promise<readonly InvitationRecord[]>;
  /** Its mail is sent a moment later. */
  invite(call: Versioned<{ readonly invitation: InvitationRecord }>): Promise<InvitationAnswer>;
  withdrawInvitation(call: Versioned<{ readonly id: Id<'inv'>; readonly actor: Actor }>): Promise<boolean>;
  /** For a person who has proved to own `email`. */
  acceptInvitation(
    call: Versioned<{ readonly id: Id<'inv'>; readonly person: Pick<MemberRecord, 'userId' | 'email' | 'name'> }>,
  ): Promise<AcceptAnswer>;
  /** The keys that are not an operator's, newest first. */
  pageKeys(page: Versioned<KeyPage>): Promise<readonly ListedKey[]>;
  findKey(call: Versioned<{ readonly id: Id<'key'> }>): Promise<ListedKey | null>;
  createKey(call: Versioned<KeyCreation>): Promise<KeyAnswer>;
  changeKey(change: Versioned<KeyChange>): Promise<KeyAnswer>;
  rotateKey(rotation: Versioned<KeyRotation>): Promise<KeyAnswer>;
  endKey(call: Versioned<{ readonly id: Id<'key'>; readonly actor: Actor }>): Promise<KeyAnswer>;
  changeOrganisation(change: Versioned<OrganisationChange>): Promise<OrganisationSettings>;
  /** Newest first. */
  listAudit(page: Versioned<AuditPage>): Promise<readonly AuditEntry[]>;
  /** Enters a change that the object itself does not make. */
  noteAudit(call: Versioned<{ readonly note: AuditNote }>): Promise<null>;
}

/** An account's bulk jobs as the rest of the service sees them. Every call is safe to repeat. */
export interface BulkPort {
  createJob(call: Versioned<{ readonly record: JobRecord }>): Promise<JobRecord>;
  /** Until a job begins, `policyVersion` is the version now in force. */
  findJob(call: Versioned<{ readonly id: Id<'bj'> }>): Promise<JobRecord | null>;
  /** Newest first. */
  listJobs(page: Versioned<JobPage>): Promise<readonly JobRecord[]>;
  moveJob(
    call: Versioned<{ readonly operationId: string; readonly id: Id<'bj'>; readonly move: JobMove }>,
  ): Promise<Moved>;
  noteSample(call: Versioned<{ readonly id: Id<'bj'>; readonly sample: CachedSample }>): Promise<null>;
  /** Null: the job has nothing to do now. */
  claimRange(call: Versioned<{ readonly id: Id<'bj'>; readonly lease: string }>): Promise<ClaimedRange | null>;
  renewRange(call: Versioned<RangeLease>): Promise<boolean>;
  /** `lost`: the lease has ended and nothing changed. `last`: the job is now done. */
  finishRange(call: Versioned<FinishedRange>): Promise<'lost' | 'kept' | 'last'>;
  failRange(call: Versioned<FailedRange>): Promise<boolean>;
  /** `jobId`: also tells which addresses were erased since the job was made. */
  matchRules(
    call: Versioned<{ readonly probes: readonly RuleProbe[]; readonly jobId?: Id<'bj'> }>,
  ): Promise<readonly ProbeMatch[]>;
  listResults(call: Versioned<{ readonly id: Id<'bj'> }>): Promise<readonly ResultPart[]>;
  restoreJobs(call: Versioned<{ readonly jobs: readonly Omit<ProjectedJob, 'organisationId'>[] }>): Promise<null>;
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
