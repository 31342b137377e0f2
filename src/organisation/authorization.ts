import type { Purpose } from '../contract/vocabulary.ts';
import type { KeyIdentity, Role } from '../domain/access/keys.ts';
import type { PersonClaims } from '../domain/access/member-records.ts';
import { type Account, type KnownHistory, NO_HISTORY } from '../domain/answer/account.ts';
import type { KeptVerification } from '../domain/answer/assess.ts';
import type { Observed } from '../domain/answer/observed.ts';
import type { AssessRequest } from '../domain/answer/prepared.ts';
import type { Observation } from '../domain/belief/facts.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { RateClass, RateStatus } from '../domain/metering/rate.ts';
import type { Meter, SettledReservation } from '../domain/metering/usage.ts';
import type { DecisionRequest, KeptDecision } from '../domain/policy/decision.ts';
import { lossesInForce } from '../domain/router/losses.ts';
import type { Askable } from '../domain/router/provider-health.ts';
import type { RuleMatch } from '../domain/rules/rules.ts';
import type { OwnLosses, PolicyIdentity, PolicyInForce } from './policies.ts';

export interface AuthorizeRequest {
  /** Repeats with this id are charged once. */
  readonly operationId: string;
  readonly traceId: string;
  /** Empty for a person. */
  readonly keyHash: string;
  /** The person at the dashboard's entrypoint, in place of a key. */
  readonly person?: Omit<PersonClaims, 'organisationId'>;
  readonly role: Role;
  readonly operator: boolean;
  /** Refused to test keys. */
  readonly live?: boolean;
  /** Refused to keys, and to a person without a fresh sign-in. */
  readonly fresh?: boolean;
  readonly rate: RateClass;
  /** The service did not know the domain, and stores its look-up. */
  readonly isNewDomain?: boolean;
  readonly meter: Meter | null;
  readonly lookup: RuleLookup | null;
  /** The request is refused if the account lacks this policy. */
  readonly policySlug?: string;
  /** SHA-256 of the body under an `Idempotency-Key`, from which the operation id is derived. */
  readonly bodyHash: string | null;
  /** How long the request has the operation to itself, under an `Idempotency-Key`. */
  readonly holdMs: number;
  /** The body or query is invalid: check only key and role, without a charge. */
  readonly faulty: boolean;
}

/** A verification in one trip: `authorize`, with the observation. */
export interface VerifyRequest {
  readonly authorize: Omit<AuthorizeRequest, 'lookup'>;
  readonly observed: Observed;
  readonly request: AssessRequest;
  /** The enabled providers and their health. */
  readonly providers: readonly Askable[];
}

/** `concluded` null: providers may be worth asking. */
export type VerifyAnswer = AuthorizeAnswer & { readonly concluded: KeptVerification | null };

/** A decision in one trip. `authorize.policySlug` names the policy. */
export interface DecideRequest extends VerifyRequest {
  readonly decision: DecisionRequest;
  readonly policyKnown: PolicyIdentity | null;
}

/**
 * `concluded` null: somebody may have to be asked. `policy`: the one in force, with its document if the caller lacks
 * it.
 */
export type DecideAnswer = AuthorizeAnswer & {
  readonly concluded: KeptDecision | null;
  readonly policy: PolicyInForce;
};

export interface AuthorizeAnswer {
  readonly ok: true;
  readonly key: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  readonly rate: RateStatus;
  readonly rules: RuleMatch;
  /** Present if the lookup asked for it, under a live key. */
  readonly history?: KnownHistory;
  /** The month's remaining provider budget, below 0 with a budget of 0; absent if unlimited. */
  readonly providerLeftMicros?: number;
  /** The account's own losses; absent if none were set. */
  readonly losses?: OwnLosses;
  /** Vendors that the account switched off; absent if none. */
  readonly off?: readonly string[];
  readonly isFresh?: true;
  readonly hasSecondFactor?: true;
  /** The finished operation's answer, null without an `Idempotency-Key`. */
  readonly earlier: { readonly answer: string | null } | null;
}

export const accountOf = ({
  key,
  rules,
  history,
  providerLeftMicros,
  losses,
  off,
}: Omit<AuthorizeAnswer, 'ok' | 'rate'>): Account => ({
  key,
  rules,
  history: history ?? NO_HISTORY,
  providerLeftMicros: providerLeftMicros ?? null,
  losses: lossesInForce(losses ?? null),
  off: off ?? [],
});

export interface Refused {
  readonly ok: false;
  readonly refusal:
    | 'unauthorized'
    | 'forbidden'
    | 'sandboxed'
    | 'not_fresh'
    | 'second_factor'
    | 'unknown_policy'
    | 'conflict'
    | 'in_progress'
    | 'rate_limited'
    | 'new_domains'
    | 'analysis_running'
    | 'quota_exceeded'
    | 'screening_quota_exceeded';
  readonly retryAfterS?: number;
  readonly rate: RateStatus | null;
}

export interface Completion {
  /** The stored trace: its id, and its record as JSON without a raw address. */
  readonly trace: {
    readonly kind: 'trace' | 'screening' | 'outcome' | 'event';
    readonly id: string;
    readonly record: string;
    readonly addressHash: string | null;
  };
  /** Further records of the same request, all stored or none. */
  readonly more?: readonly Completion['trace'][];
  readonly spendMicros: number;
  readonly providerMicros?: number;
  readonly enrichmentMicros?: number;
  /** Makes the answer as JSON without the address, stored under an `Idempotency-Key`. */
  readonly answer: () => string;
  readonly observation?: Observation | null;
}

export interface CommitRequest {
  readonly operationId: string;
  /** The id of this request: two requests under one `Idempotency-Key` both pay, if the first outlived its hold. */
  readonly requestId: string;
  readonly trace: Completion['trace'];
  readonly more: readonly Completion['trace'][];
  readonly spendMicros: number;
  /** Replaces the request's reservation for enrichment; absent without one. */
  readonly enrichment?: SettledReservation;
  /** The same for the provider budget. */
  readonly providers?: SettledReservation;
  readonly providerMicros: number;
  readonly bodyHash: string | null;
  /** The answer without the address, stored for 24 hours under an `Idempotency-Key`, or null. */
  readonly answer: string | null;
  readonly observation: Observation | null;
}

export interface Finished {
  readonly answer: string | null;
}

/** Looks up the account's knowledge of an address, if the request asks for it. */
export type FindKnown = (request: AuthorizeRequest, authorized: AuthorizeAnswer) => Pick<AuthorizeAnswer, 'history'>;

/** Has `authorize` return the account's matching rules. */
export interface RuleLookup {
  readonly addressHash: string | null;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** Also returns the matched rules' notes. */
  readonly notes?: true;
  /** Also returns the history of the address, its domain and its list. */
  readonly history?: HistoryLookup;
}

/**
 * Keys of a domain and a list: 32 hex digits. Single calls have a list for each key and purpose, and only the object
 * knows the key.
 */
export type HistoryLookup = { readonly domain: string } & ({ readonly purpose: Purpose } | { readonly list: string });

export type LookupMatch = RuleMatch & {
  readonly history?: KnownHistory;
  /** The address was erased since the job was made. */
  readonly isErased?: true;
};

/** A slice of the addresses, in key order. */
export interface HistorySlice {
  readonly after: string | null;
  /** Addresses whose newest fact is older are removed. */
  readonly before: number;
  /** Keeps this many of those whose newest fact is of that day or later. A repeated slice removes no others. */
  readonly keep: number;
}

export interface TrimmedHistory {
  /** The last key of the slice; null at the end. */
  readonly next: string | null;
  readonly keep: number;
  /** Remaining addresses by the day of their newest fact, counted since the epoch. */
  readonly days: Readonly<Record<number, number>>;
}
