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

/** Version of every call to an organisation's object. While a release is deployed either side may be the one before. */
export const PORT_VERSION = 1;

/** The call, unless only a later release reads it. */
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
  /** Asks for the matched rules' notes as well. */
  readonly notes?: true;
}

export interface AdmitRequest {
  readonly v: typeof PORT_VERSION;
  /** A charge happens once under it, however often it is sent. */
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
  /** The policy that is to decide; the request is refused where the account has none of this name. */
  readonly policySlug?: string;
  /** The version of it that the caller has; null: none. Absent: its document is not wanted. */
  readonly policyKnown?: PolicyIdentity | null;
  /** SHA-256 of the body when the caller sent an `Idempotency-Key` (the operation id is then derived from it). */
  readonly bodyHash: string | null;
  /** Under an `Idempotency-Key`, how long the request may take: it alone works on the operation. The release before sends none. */
  readonly holdMs?: number;
  /** The body or query is bad: settle key and role, charge nothing. */
  readonly faulty: boolean;
}

export interface Admitted {
  readonly ok: true;
  readonly key: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  readonly rate: RateStatus;
  readonly rules: RuleMatch;
  /** Of the policy asked for. */
  readonly policy?: PolicyInForce;
  /** The version of the account's fitted model; absent where the seeded tables are in force. */
  readonly calibration?: string;
  /** The same operation was answered before. The release before gives one without an answer too. */
  readonly earlier: { readonly answer: string | null } | null;
}

/** The model that the last fit has put in force; `version` null: the seeded tables. */
export interface CalibrationInForce {
  readonly version: string | null;
  /** Of two runs the later one stands, in any order of arrival. */
  readonly computedAt: number;
}

/** One version of a policy. Its number alone is not enough: after a rebuild a number may be given again. */
export interface PolicyIdentity {
  readonly version: number;
  readonly createdAt: number;
}

/** What a decision needs to know of its account. */
export interface PolicyInForce {
  readonly version: number;
  /** Where its document was wanted: since when it is in force, and the document, null where the caller has it. */
  readonly sent?: { readonly createdAt: number; readonly document: string | null };
  /** What the month's budget has left; below 0 where there is none. */
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

/** What came of an operation, for `finish`. */
export interface Completion {
  /** What is kept of it: its id and its record as JSON, without any raw address. */
  readonly trace: {
    readonly kind: 'trace' | 'screening' | 'outcome' | 'event';
    readonly id: string;
    readonly record: string;
    /** The keyed hash of the address it is about, null for none: kept with the answer. The release before sends none. */
    readonly addressHash?: string | null;
  };
  readonly spendMicros: number;
  /** What enrichment cost, where some was reserved. */
  readonly enrichmentMicros?: number;
  /** The answer as JSON without the address: kept when the caller sent an `Idempotency-Key`. */
  readonly answer: string;
}

export interface FinishRequest {
  readonly v: typeof PORT_VERSION;
  readonly operationId: string;
  /** Of this request alone: under one `Idempotency-Key` a second one pays too, once the first was given up for dead. */
  readonly requestId: string;
  readonly trace: Completion['trace'];
  readonly spendMicros: number;
  /** What enrichment cost, in place of what the request had reserved for it; absent where it reserved nothing. */
  readonly enrichment?: { readonly requestId: string; readonly spentMicros: number };
  /** As in the admission it belongs to. */
  readonly bodyHash: string | null;
  /** The answer without the address, kept for 24 hours under an `Idempotency-Key`; null without one. */
  readonly answer: string | null;
}

/** What an organisation's object knows of its own health. */
export interface ObjectStatus {
  readonly outboxRows: number;
  readonly outboxOldestAt: number | null;
  readonly outboxDead: number;
  /** Forgotten addresses whose rows in Postgres are still to be cut off. */
  readonly erasures: number;
  /** Bulk jobs that failed, of those kept. */
  readonly jobsFailed: number;
  readonly usage: Usage;
}

/** All an object can be rebuilt from but its policies, which come before it, page by page. */
export interface OrganisationSnapshot {
  readonly settings: OrganisationSettings;
  readonly keys: readonly KeyRecord[];
  readonly usage: Usage | null;
  readonly rules: Readonly<Record<RuleKind, ProjectedRules>>;
}

/** What came of a flush, and what of `traceId` could not be written yet. */
export interface Flushed {
  readonly drained: boolean;
  /** The record of the trace. */
  readonly held: string | null;
  /** The newest report of what became of it. */
  readonly heldOutcome?: string;
  /** The addresses of those traces asked for that could not be written yet. */
  readonly heldAddresses?: readonly HeldAddress[];
}

/** What a trace that is still with the object says of its address, and who wrote it. */
export interface HeldAddress {
  readonly id: string;
  readonly mode: KeyMode;
  readonly keyId: Id<'key'>;
  readonly addressHash: string | null;
  readonly display: string;
}

/** The one authority of an account, as the rest of the service sees it. Every call is safe to repeat. */
export interface OrganisationPort {
  admit(request: AdmitRequest): Promise<Admitted | Refused>;
  /** Puts the trace into the outbox and settles spend; a repeat returns the first answer and writes nothing. */
  finish(request: FinishRequest): Promise<{ readonly answer: string | null }>;
  /**
   * Takes back the charge of an operation that failed on our side, unless another request than `traceId` works on it. The
   * release before names none.
   */
  reverse(operationId: string, traceId?: string): Promise<void>;
  usage(): Promise<{ readonly usage: Usage; readonly limits: Limits }>;
  /** Puts entries on a list and takes them from the other: all of them or, over the cap, none. In force at once. */
  addRules(change: Versioned<AddRules>): Promise<RulesAdded | RulesFull>;
  removeRules(change: Versioned<RemoveRules>): Promise<RulesRemoved>;
  listRules(page: Versioned<RulePage>): Promise<ListedRules>;
  /**
   * Lets a request's enrichment come to `totalMicros` in all, where the month's budget has that much left; false where not.
   * Counted as spent until `finish` tells the sum.
   */
  reserveEnrichment(hold: Versioned<{ readonly requestId: string; readonly totalMicros: number }>): Promise<boolean>;
  /** Saves a document as the newest version; one that is the newest already stays it. In force at once. */
  putPolicy(change: Versioned<PolicyChange>): Promise<PolicySaved | PolicyRefused>;
  /** `version` null: the newest. Null: the account has none such. */
  readPolicy(
    policy: Versioned<{ readonly slug: string; readonly version: number | null }>,
  ): Promise<PolicyVersion | null>;
  /** The newest version of each, the newest policy first, as many as fit a message; null where `before` is not a policy. */
  listPolicies(page: Versioned<PolicyPage>): Promise<ListedPolicies | null>;
  /** Writes what the outbox holds, 2 s at most; of `addressesOf` tells what it could not write. */
  flush(traceId: Id<'vr' | 'dc'> | null, addressesOf?: readonly Id<'vr' | 'dc'>[]): Promise<Flushed>;
}

/** What `forget` found. */
export interface Forgotten {
  /** How many rules were the address's. */
  readonly rules: number;
  /** All that the object held is in Postgres; the release before does not say. */
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
  /** `deleted`: a tombstone. Null: nothing was ever created here, or it was lost. */
  settings(): Promise<OrganisationSettings | 'deleted' | null>;
  insertKey(key: KeyRecord): Promise<boolean>;
  revokeKey(id: Id<'key'>): Promise<KeyRecord | null>;
  listKeys(): Promise<readonly KeyRecord[]>;
  status(): Promise<ObjectStatus | null>;
  /** Drops what is kept of an address beside its rows in Postgres. */
  forget(addressHash: string): Promise<Forgotten>;
  /** Sees to it that the address is cut off its rows in Postgres, behind all that the object holds now. */
  eraseLater(addressHash: string): Promise<void>;
  adoptCalibration(calibration: Versioned<CalibrationInForce>): Promise<void>;
  /** Enters versions that are not there; part of a rebuild. */
  restorePolicies(versions: readonly PolicyVersion[]): Promise<void>;
  rebuild(snapshot: OrganisationSnapshot): Promise<void>;
  /** Everything goes but a tombstone that refuses every key for good. */
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

/** A range as its holder gives it back. */
export interface FinishedRange extends RangeLease {
  readonly outcome: RangeCounts;
  readonly spendMicros: number;
  readonly enrichment: readonly SettledEnrichment[];
  /** Of each address that was checked: the trace's id and record. */
  readonly traces: readonly (readonly [id: string, record: string])[];
}

export interface FailedRange extends RangeLease {
  readonly retryAt: number;
  /** What vendors may bill for addresses that are tried again. */
  readonly spendMicros?: number;
}

/** What a worker needs to check a range. */
export interface ClaimedRange {
  readonly claim: Claim;
  readonly record: JobRecord;
  readonly policy: PolicyInForce | null;
  /** Of the fitted model in force, as `admit` tells it. */
  readonly calibration: string | null;
}

/** The jobs of an account, as the rest of the service sees them. Each call is safe to repeat. */
export interface BulkPort {
  createJob(call: Versioned<{ readonly record: JobRecord }>): Promise<JobRecord>;
  /** Before a job has begun `policyVersion` is the one now in force. */
  findJob(call: Versioned<{ readonly id: Id<'bj'> }>): Promise<JobRecord | null>;
  /** Newest first. */
  listJobs(page: Versioned<JobPage>): Promise<readonly JobRecord[]>;
  moveJob(
    call: Versioned<{ readonly operationId: string; readonly id: Id<'bj'>; readonly move: JobMove }>,
  ): Promise<Moved>;
  noteSample(call: Versioned<{ readonly id: Id<'bj'>; readonly sample: CachedSample }>): Promise<null>;
  /** Null: nothing to do now. */
  claimRange(call: Versioned<{ readonly id: Id<'bj'>; readonly lease: string }>): Promise<ClaimedRange | null>;
  renewRange(call: Versioned<RangeLease>): Promise<boolean>;
  /** `lost`: the lease has ended; nothing changed. `last`: the job is done with it. */
  finishRange(call: Versioned<FinishedRange>): Promise<'lost' | 'kept' | 'last'>;
  failRange(call: Versioned<FailedRange>): Promise<boolean>;
  matchRules(call: Versioned<{ readonly probes: readonly RuleProbe[] }>): Promise<readonly RuleMatch[]>;
  listResults(call: Versioned<{ readonly id: Id<'bj'> }>): Promise<readonly ResultPart[]>;
  restoreJobs(call: Versioned<{ readonly jobs: readonly Omit<ProjectedJob, 'organisationId'>[] }>): Promise<null>;
}

/**
 * Release 1 has one method for all of these, `bulk({ do: …, … })`. Until release 2 is recorded its Worker may ask our object that
 * way, and we its object; then this table goes with all that reads it.
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

/** The methods of `BulkPort`, asked of an object of release 1. */
const askedThroughBulk = (stub: { bulk(call: object): Promise<unknown> }): object =>
  Object.fromEntries(
    Object.entries(BULK_CALLS).map(([name, method]) => [method, (call: object) => stub.bulk({ do: name, ...call })]),
  );

/** A message that a queue gave up on. It carries ids alone. */
export interface DeadLetter {
  readonly queue: string;
  readonly id: string;
  readonly at: number;
  /** JSON. */
  readonly body: string;
}

export interface OperatorsRecord {
  /** Of all isolates, the last 24 hours and the hour under way. */
  readonly counters: CounterTotals;
  /** The newest first. */
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * What the operators' own object keeps about the whole service, so that it can be told and worked with while Postgres is away.
 * Every call is safe to repeat but `addCounters`, whose figures are for people.
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
 * `overloaded`: too many calls at once, never sent again. `unreachable`: no answer, whether or not it did the work; or the object is
 * of another release, and this call is none of its own. `broken`: the object's own code failed, as it would again.
 */
export type ObjectFailure = 'overloaded' | 'unreachable' | 'broken';

export type OrganisationStub = OrganisationPort & OrganisationAdministration;

/** A longer wait does not help: the verification family then answers without the object, the other routes fail. */
export const CALL_TIMEOUT_MS = 2_000;

export interface ObjectDeps<S = OrganisationStub> {
  /** A fresh stub for each try: one that has failed stays broken. */
  stub(id: Id<'org'>): S;
  readonly now: Clock;
  readonly counters: Counters;
}

/**
 * Calls an organisation's object; a failure the runtime calls retryable is tried once more, within the same time. Calls are
 * safe to repeat.
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

/** What the runtime says of a failed call. `remote`: thrown by the object's own code. */
interface RuntimeFlags {
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
  readonly remote?: boolean;
  readonly dependency?: unknown;
  readonly message?: string;
}

const hasNoSuchMethod = ({ message = '' }: RuntimeFlags): boolean => message.includes('does not implement the method');

/** While a release is deployed: the object refuses what only a later release reads, or has no such call yet. */
const isBetweenReleases = (flags: RuntimeFlags): boolean =>
  flags.dependency === ('release' satisfies Dependency) || hasNoSuchMethod(flags);

function failureOf(flags: RuntimeFlags): ObjectFailure {
  if (flags.overloaded === true) return 'overloaded';
  if (isBetweenReleases(flags)) return 'unreachable';
  return flags.remote === true && flags.retryable !== true ? 'broken' : 'unreachable';
}

/** Asks an organisation's object where nothing can be answered without it. Each kind of failure is thrown as what it is. */
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

/** Overloaded: the caller's limit. Out of reach: an outage. Broken: a bug of ours. */
export function objectError(failure: ObjectFailure): Error {
  if (failure === 'overloaded')
    return new DomainError('rate_limited', 'Too many requests at once.', { retryAfterS: 1 });
  const words = `the organisation's object is ${failure}`;
  return failure === 'unreachable' ? new DependencyError('object', words) : new Error(words);
}
