import type { BulkState } from '../contract/bulk.ts';
import type { KeyMode, Role } from '../domain/access/key-format.ts';
import type { KeyIdentity, KeyRecord } from '../domain/access/key-record.ts';
import type {
  CachedSample,
  JobMove,
  JobRecord,
  Moved,
  ProjectedJob,
  ResultPart,
  SettledEnrichment,
} from '../domain/bulk/job-record.ts';
import type { Claim, RangeCounts } from '../domain/bulk/ranges.ts';
import type { CounterTotals } from '../domain/metering/counter-totals.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { RateClass, RateStatus } from '../domain/metering/rate.ts';
import type { Limits, Meter, Usage } from '../domain/metering/usage.ts';
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
  ProjectedRules,
  RemoveRules,
  RuleKind,
  RuleMatch,
  RulePage,
  RulesAdded,
  RulesFull,
  RulesRemoved,
} from '../domain/rules/types.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Counters } from '../kernel/counters.ts';
import { LATE, within } from '../kernel/deadline.ts';
import { type Dependency, DependencyError, DomainError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { describeError, log } from '../kernel/log.ts';
import { err, ok, type Result } from '../kernel/result.ts';
import { readableUpTo, requireReadable } from '../kernel/version.ts';

/** Version of every call to an organisation's object. During a deployment either side may be the release before. */
export const PORT_VERSION = 1;

/** Returns the call, or throws when only a later release can read it. */
export function readable<C extends { readonly v: number }>(call: C): C {
  requireReadable('a call', call.v, readableUpTo(PORT_VERSION));
  return call;
}

type Versioned<T> = T & { readonly v: typeof PORT_VERSION };

/** Asks, with `admit`, which of the account's rules match. */
export interface RuleProbe {
  readonly addressHash: string | null;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** Asks also for the matched rules' notes. */
  readonly notes?: true;
}

export interface AdmitRequest {
  readonly v: typeof PORT_VERSION;
  /** A charge happens once for this id, however often it is sent. */
  readonly operationId: string;
  readonly traceId: string;
  readonly keyHash: string;
  readonly role: Role;
  readonly operator: boolean;
  /** Refused to test keys. */
  readonly live?: boolean;
  readonly rate: RateClass;
  readonly meter: Meter | null;
  readonly probe: RuleProbe | null;
  /** The policy that decides. The request is refused when the account lacks it. */
  readonly policySlug?: string;
  /** The policy's version that the caller has; null: none. Absent: the caller does not need the document. */
  readonly policyKnown?: PolicyIdentity | null;
  /** SHA-256 of the body when the caller sent an `Idempotency-Key` (the operation id is then derived from it). */
  readonly bodyHash: string | null;
  /** Under an `Idempotency-Key`, how long the request alone may work on the operation. The release before leaves it out. */
  readonly holdMs?: number;
  /** The body or query is bad: check key and role only, without a charge. */
  readonly faulty: boolean;
}

export interface Admitted {
  readonly ok: true;
  readonly key: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  readonly rate: RateStatus;
  readonly rules: RuleMatch;
  /** The policy that the request named. */
  readonly policy?: PolicyInForce;
  /** The version of the account's fitted model; absent while the seeded tables are in force. */
  readonly calibration?: string;
  /** The earlier answer of the same operation. The release before may send one without an answer. */
  readonly earlier: { readonly answer: string | null } | null;
}

/** The model that the last fit put in force; `version` null: the seeded tables. */
export interface CalibrationInForce {
  readonly version: string | null;
  /** The later of two runs wins, in any order of arrival. */
  readonly computedAt: number;
}

/** One version of a policy. The number alone is not enough: a rebuild may give a number again. */
export interface PolicyIdentity {
  readonly version: number;
  readonly createdAt: number;
}

/** What a decision needs to know of its account. */
export interface PolicyInForce {
  readonly version: number;
  /** Present where the document was wanted: when it came into force, and the document, null where the caller has it. */
  readonly sent?: { readonly createdAt: number; readonly document: string | null };
  /** What is left of the month's budget; below 0 without a budget. */
  readonly enrichmentLeftMicros: number;
}

export interface Refused {
  readonly ok: false;
  readonly refusal:
    | 'unauthorized'
    | 'forbidden'
    | 'sandboxed'
    | 'unknown_policy'
    | 'conflict'
    | 'in_progress'
    | 'rate_limited'
    | 'quota_exceeded'
    | 'screening_quota_exceeded';
  readonly retryAfterS?: number;
  readonly rate: RateStatus | null;
}

/** The result of an operation, for `finish`. */
export interface Completion {
  /** The stored trace: its id and its record as JSON, without a raw address. */
  readonly trace: {
    readonly kind: 'trace' | 'screening' | 'outcome' | 'event';
    readonly id: string;
    readonly record: string;
    /** The address's keyed hash, kept with the answer; null without an address. The release before leaves it out. */
    readonly addressHash?: string | null;
  };
  readonly spendMicros: number;
  /** What enrichment cost, if some was reserved. */
  readonly enrichmentMicros?: number;
  /** The answer as JSON without the address, kept when the caller sent an `Idempotency-Key`. */
  readonly answer: string;
}

export interface FinishRequest {
  readonly v: typeof PORT_VERSION;
  readonly operationId: string;
  /** The id of this request: two requests under one `Idempotency-Key` both pay, if the first outlived its hold. */
  readonly requestId: string;
  readonly trace: Completion['trace'];
  readonly spendMicros: number;
  /** Replaces what the request had reserved for enrichment; absent without a reservation. */
  readonly enrichment?: { readonly requestId: string; readonly spentMicros: number };
  /** The same as in `AdmitRequest`. */
  readonly bodyHash: string | null;
  /** The answer without the address, kept for 24 hours under an `Idempotency-Key`; null without one. */
  readonly answer: string | null;
}

/** What an organisation's object knows of its own health. */
export interface ObjectStatus {
  readonly outboxRows: number;
  readonly outboxOldestAt: number | null;
  readonly outboxDead: number;
  /** Forgotten addresses that are still to be cut off from their rows in Postgres. */
  readonly erasures: number;
  /** Bulk jobs that failed on our side. */
  readonly jobsFailed: number;
  readonly usage: Usage;
}

/** What an object is rebuilt from. Its policies are restored before, page by page. */
export interface OrganisationSnapshot {
  readonly settings: OrganisationSettings;
  readonly keys: readonly KeyRecord[];
  readonly usage: Usage | null;
  readonly rules: Readonly<Record<RuleKind, ProjectedRules>>;
}

/** The result of a flush, and the records of `traceId` that could not be written yet. */
export interface Flushed {
  readonly drained: boolean;
  /** The record of the trace. */
  readonly held: string | null;
  /** The newest outcome reported for it. */
  readonly heldOutcome?: string;
  /** The addresses of the requested traces that could not be written yet. */
  readonly heldAddresses?: readonly HeldAddress[];
}

/** The address of a trace that is still in the object's outbox, and the key that wrote it. */
export interface HeldAddress {
  readonly id: string;
  readonly mode: KeyMode;
  readonly keyId: Id<'key'>;
  readonly addressHash: string | null;
  readonly display: string;
}

/** The organisation's object as the rest of the service sees it. Every call is safe to repeat. */
export interface OrganisationPort {
  admit(request: AdmitRequest): Promise<Admitted | Refused>;
  /** Puts the trace into the outbox and books the spend. A repeat returns the first answer and writes nothing. */
  finish(request: FinishRequest): Promise<{ readonly answer: string | null }>;
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
  /** Saves a document as the newest version, unless it already is. In force at once. */
  putPolicy(change: Versioned<PolicyChange>): Promise<PolicySaved | PolicyRefused>;
  /** `version` null: the newest. Returns null when the account lacks the policy or version. */
  readPolicy(
    policy: Versioned<{ readonly slug: string; readonly version: number | null }>,
  ): Promise<PolicyVersion | null>;
  /** The newest version of each policy, newest policy first, as many as fit a message; null when `before` is not a policy. */
  listPolicies(page: Versioned<PolicyPage>): Promise<ListedPolicies | null>;
  /** Writes the outbox for at most 2 s, and returns what it could not write of `traceId` and `addressesOf`. */
  flush(traceId: Id<'vr' | 'dc'> | null, addressesOf?: readonly Id<'vr' | 'dc'>[]): Promise<Flushed>;
}

/** What `forget` found. */
export interface Forgotten {
  /** How many rules on the address were removed. */
  readonly rules: number;
  /** Whether the whole outbox is in Postgres; the release before leaves it out. */
  readonly drained?: boolean;
  /** The organisation is deleted. */
  readonly isGone?: true;
}

/** What the operator API may do to an organisation. */
export interface OrganisationAdministration {
  create(settings: OrganisationSettings): Promise<void>;
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
  /** Drops what the object keeps about an address. */
  forget(addressHash: string): Promise<Forgotten>;
  /** Has the address cut off from its rows in Postgres, after everything now in the outbox is written. */
  eraseLater(addressHash: string): Promise<void>;
  adoptCalibration(calibration: Versioned<CalibrationInForce>): Promise<void>;
  /** Enters missing versions; part of a rebuild. */
  restorePolicies(versions: readonly PolicyVersion[]): Promise<void>;
  rebuild(snapshot: OrganisationSnapshot): Promise<void>;
  /** Deletes everything and leaves a tombstone that refuses every key for good. */
  destroy(): Promise<void>;
  tick(): Promise<void>;
}

export interface RangeLease {
  readonly id: Id<'bj'>;
  readonly range: number;
  readonly lease: string;
}

export interface JobPage {
  readonly mode: KeyMode;
  readonly state: BulkState | null;
  readonly limit: number;
  readonly before: Id<'bj'> | null;
}

/** A range with the results of its holder. */
export interface FinishedRange extends RangeLease {
  readonly outcome: RangeCounts;
  readonly spendMicros: number;
  readonly enrichment: readonly SettledEnrichment[];
  /** The trace's id and record of each address that was checked. */
  readonly traces: readonly (readonly [id: string, record: string])[];
}

export interface FailedRange extends RangeLease {
  readonly retryAt: number;
  /** What vendors may bill for addresses that will be tried again. */
  readonly spendMicros?: number;
}

/** What a worker needs to check a range. */
export interface ClaimedRange {
  readonly claim: Claim;
  readonly record: JobRecord;
  readonly policy: PolicyInForce | null;
  /** The version of the fitted model in force, as in `Admitted`. */
  readonly calibration: string | null;
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
  matchRules(call: Versioned<{ readonly probes: readonly RuleProbe[] }>): Promise<readonly RuleMatch[]>;
  listResults(call: Versioned<{ readonly id: Id<'bj'> }>): Promise<readonly ResultPart[]>;
  restoreJobs(call: Versioned<{ readonly jobs: readonly Omit<ProjectedJob, 'organisationId'>[] }>): Promise<null>;
}

/**
 * Release 1 has one method for all of these, `bulk({ do: …, … })`. Until release 2 is recorded, its Worker may call our
 * object that way, and we may call its object. Then delete this table and everything that reads it.
 */
export const BULK_CALLS = {
  create: 'createJob',
  find: 'findJob',
  list: 'listJobs',
  move: 'moveJob',
  note_sample: 'noteSample',
  claim: 'claimRange',
  renew: 'renewRange',
  finish: 'finishRange',
  fail: 'failRange',
  match_rules: 'matchRules',
  list_results: 'listResults',
  restore: 'restoreJobs',
} as const satisfies Readonly<Record<string, keyof BulkPort>>;

type BulkCallName = keyof typeof BULK_CALLS;

/** A call as release 1 sends it. */
export type BulkCall = {
  readonly [K in BulkCallName]: { readonly do: K } & Parameters<BulkPort[(typeof BULK_CALLS)[K]]>[0];
}[BulkCallName];

/** The methods of `BulkPort`, called on an object of release 1. */
const askedThroughBulk = (stub: { bulk(call: object): Promise<unknown> }): object =>
  Object.fromEntries(
    Object.entries(BULK_CALLS).map(([name, method]) => [method, (call: object) => stub.bulk({ do: name, ...call })]),
  );

/** A message that a queue gave up on. It holds only ids. */
export interface DeadLetter {
  readonly queue: string;
  readonly id: string;
  readonly at: number;
  /** JSON. */
  readonly body: string;
}

export interface OperatorsRecord {
  /** Counters of all isolates over the last 24 hours and the current hour. */
  readonly counters: CounterTotals;
  /** Newest first. */
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * What the operators' own object keeps about the whole service, so that it is at hand while Postgres is away. Every call
 * is safe to repeat except `addCounters`, whose figures are for people.
 */
export interface OperatorsPort {
  noteOrganisations(ids: readonly Id<'org'>[]): Promise<void>;
  dropOrganisation(id: Id<'org'>): Promise<void>;
  listOrganisations(): Promise<readonly Id<'org'>[]>;
  addCounters(counters: CounterTotals): Promise<void>;
  addDeadLetters(letters: readonly DeadLetter[]): Promise<void>;
  readOperations(): Promise<OperatorsRecord>;
}

/**
 * `overloaded`: too many calls at once; the call is not sent again. `unreachable`: no answer, whether or not the object
 * did the work, or an object of another release that lacks the call. `broken`: the object's own code failed, and would
 * fail again.
 */
export type ObjectFailure = 'overloaded' | 'unreachable' | 'broken';

export type OrganisationStub = OrganisationPort & OrganisationAdministration;

/** After this time verifications answer without the object and the other routes fail. */
export const CALL_TIMEOUT_MS = 2_000;

export interface ObjectDeps<S = OrganisationStub> {
  /** A fresh stub for each try, because a stub that has failed stays broken. */
  stub(id: Id<'org'>): S;
  readonly now: Clock;
  readonly counters: Counters;
}

/**
 * Calls an organisation's object. After a failure that the runtime calls retryable it tries once more within the same
 * time, which is safe because every call may be repeated.
 */
export async function callObject<T, S = OrganisationStub>(
  deps: ObjectDeps<S>,
  id: Id<'org'>,
  name: string,
  call: (stub: S) => Promise<T>,
  timeoutMs: number = CALL_TIMEOUT_MS,
): Promise<Result<T, ObjectFailure>> {
  const until = deps.now() + timeoutMs;
  let isOfRelease1 = false;
  for (let tries = 1; ; tries += 1) {
    const started = deps.now();
    try {
      const stub = deps.stub(id);
      const value = await within(call(isOfRelease1 ? (askedThroughBulk(stub as never) as S) : stub), until - started);
      if (value === LATE) throw new Error('the object did not answer in time');
      deps.counters.add('object_ms', deps.now() - started, name);
      return ok(value);
    } catch (error) {
      const failure = failureOf(error as RuntimeFlags);
      isOfRelease1 = hasNoSuchMethod(error as RuntimeFlags);
      const mayPass = isOfRelease1 || (failure === 'unreachable' && (error as RuntimeFlags).retryable === true);
      if (mayPass && tries === 1) continue;
      deps.counters.add('object_failed', 1, `${name}:${failure}`);
      const level = failure === 'broken' ? 'error' : 'warn';
      log(level, 'object_call_failed', { call: name, organisation: id, failure, ...describeError(error) });
      return err(failure);
    }
  }
}

/** The runtime's flags on a failed call. `remote`: the object's own code threw. */
interface RuntimeFlags {
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  readonly remote?: boolean;
  readonly dependency?: unknown;
  readonly message?: string;
}

const hasNoSuchMethod = ({ message = '' }: RuntimeFlags): boolean => message.includes('does not implement the method');

/** During a deployment the object may refuse what only a later release reads, or lack the call. */
const isBetweenReleases = (flags: RuntimeFlags): boolean =>
  flags.dependency === ('release' satisfies Dependency) || hasNoSuchMethod(flags);

function failureOf(flags: RuntimeFlags): ObjectFailure {
  if (flags.overloaded === true) return 'overloaded';
  if (isBetweenReleases(flags)) return 'unreachable';
  return flags.remote === true && flags.retryable !== true ? 'broken' : 'unreachable';
}

/** Calls an organisation's object when an answer needs it. Throws each kind of failure as its own error. */
export async function askObject<T, S = OrganisationStub>(
  objects: ObjectDeps<S>,
  id: Id<'org'>,
  name: string,
  call: (stub: S) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const answer = await callObject(objects, id, name, call, timeoutMs);
  if (!answer.ok) throw objectError(answer.error);
  return answer.value;
}

/** `overloaded` is the caller's limit, `unreachable` an outage, `broken` our bug. */
export function objectError(failure: ObjectFailure): Error {
  if (failure === 'overloaded')
    return new DomainError('rate_limited', 'Too many requests at once.', { retryAfterS: 1 });
  const words = `the organisation's object is ${failure}`;
  return failure === 'unreachable' ? new DependencyError('object', words) : new Error(words);
}
