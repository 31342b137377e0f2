import type { KeyMode, Role } from '../domain/access/key-format.ts';
import type { KeyIdentity, KeyRecord } from '../domain/access/key-record.ts';
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
import type { Id } from '../kernel/ids.ts';
import { readableUpTo, refuseNewer } from '../kernel/version.ts';

/** Version of every call to an organisation's object. While a release is deployed either side may be the one before. */
export const PORT_VERSION = 1;

/** The call, unless only a later release reads it. */
export function readable<C extends { readonly v: number }>(call: C): C {
  refuseNewer('a call', call.v, readableUpTo(PORT_VERSION));
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
  /** Of two runs the later one stands, whichever comes first. */
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
  /** The newest version of each, the newest policy first, as many as fit a message; null where `before` is no policy. */
  listPolicies(page: Versioned<PolicyPage>): Promise<ListedPolicies | null>;
  /** Writes what the outbox holds, 2 s at most; of `addressesOf` tells what it could not write. */
  flush(traceId: Id<'vr' | 'dc'> | null, addressesOf?: readonly Id<'vr' | 'dc'>[]): Promise<Flushed>;
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
  /** Drops what is kept of an address beside its traces in Postgres; how many rules were its. `isGone`: no organisation is here. */
  forget(addressHash: string): Promise<{ readonly rules: number; readonly isGone?: true }>;
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
