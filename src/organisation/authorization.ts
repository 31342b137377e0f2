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
  /** A charge happens once for this id, however often it is sent. */
  readonly operationId: string;
  readonly traceId: string;
  /** Empty where a person asks. */
  readonly keyHash: string;
  /** Who asks at the dashboard's entrypoint, in place of a key. */
  readonly person?: Omit<PersonClaims, 'organisationId'>;
  readonly role: Role;
  readonly operator: boolean;
  /** Refused to test keys. */
  readonly live?: boolean;
  /** Refused to keys, and to a person who signed in a while ago. */
  readonly fresh?: boolean;
  readonly rate: RateClass;
  /** The service did not know the domain, and stores what it has found of it. */
  readonly isNewDomain?: boolean;
  readonly meter: Meter | null;
  readonly lookup: RuleLookup | null;
  /** The policy that decides. The request is refused when the account lacks it. */
  readonly policySlug?: string;
  /** SHA-256 of the body when the caller sent an `Idempotency-Key` (the operation id is then derived from it). */
  readonly bodyHash: string | null;
  /** Under an `Idempotency-Key`, how long the request alone may work on the operation. */
  readonly holdMs: number;
  /** The body or query is bad: check key and role only, without a charge. */
  readonly faulty: boolean;
}

/** A verification in one trip: `authorize`, with what was observed. */
export interface VerifyRequest {
  readonly authorize: Omit<AuthorizeRequest, 'lookup'>;
  readonly observed: Observed;
  readonly request: AssessRequest;
  /** The providers that are on, as they do now. */
  readonly providers: readonly Askable[];
}

/** `concluded` null means providers may be worth asking. */
export type VerifyAnswer = AuthorizeAnswer & { readonly concluded: KeptVerification | null };

/** A decision in one trip. `authorize.policySlug` names the policy. */
export interface DecideRequest extends VerifyRequest {
  readonly decision: DecisionRequest;
  /** The policy's version that the caller has; null means none. */
  readonly policyKnown: PolicyIdentity | null;
}

/**
 * `concluded` null means somebody may have to be asked. `policy`: the one in force, with its document where the caller lacks
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
  /** Present where the lookup asked for it, under a live key. */
  readonly history?: KnownHistory;
  /** What is left of the month's provider budget; below 0 of a budget of 0. Absent: unlimited. */
  readonly providerLeftMicros?: number;
  /** The account's own losses; absent while it has set none. */
  readonly losses?: OwnLosses;
  /** Vendors that the account has switched off; absent while it has none. */
  readonly off?: readonly string[];
  /** A person asks who has just signed in. */
  readonly isFresh?: true;
  /** A person asks who has proved a second factor. */
  readonly hasSecondFactor?: true;
  /** The operation was finished before: its answer, which is null without an `Idempotency-Key`. */
  readonly earlier: { readonly answer: string | null } | null;
}

/** What the judgement takes of an authorization. */
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

/** The result of an operation, for `commit`. */
export interface Completion {
  /** The stored trace: its id and its record as JSON, without a raw address. */
  readonly trace: {
    readonly kind: 'trace' | 'screening' | 'outcome' | 'event';
    readonly id: string;
    readonly record: string;
    /** The address's keyed hash, kept with the answer; null without an address. */
    readonly addressHash: string | null;
  };
  /** Further records of the same request, kept with the first or not at all. */
  readonly more?: readonly Completion['trace'][];
  readonly spendMicros: number;
  /** The part of `spendMicros` that providers bill. */
  readonly providerMicros?: number;
  /** What enrichment cost, if some was reserved. */
  readonly enrichmentMicros?: number;
  /** Makes the answer as JSON without the address, which is kept when the caller sent an `Idempotency-Key`. */
  readonly answer: () => string;
  /** What is new about the address. */
  readonly observation?: Observation | null;
}

export interface CommitRequest {
  readonly operationId: string;
  /** The id of this request: two requests under one `Idempotency-Key` both pay, if the first outlived its hold. */
  readonly requestId: string;
  readonly trace: Completion['trace'];
  /** Further records of the same request. */
  readonly more: readonly Completion['trace'][];
  readonly spendMicros: number;
  /** Replaces what the request had reserved for enrichment; absent without a reservation. */
  readonly enrichment?: SettledReservation;
  /** The same for its reservation of the provider budget. */
  readonly providers?: SettledReservation;
  /** The part of `spendMicros` that providers bill. */
  readonly providerMicros: number;
  /** The same as in `AuthorizeRequest`. */
  readonly bodyHash: string | null;
  /** The answer without the address, kept for 24 hours under an `Idempotency-Key`; null without one. */
  readonly answer: string | null;
  /** What is new about the address. */
  readonly observation: Observation | null;
}

/** What `commit` entered. */
export interface Finished {
  readonly answer: string | null;
}

/** Finds what the account knows of an address, where the request asks for it. */
export type FindKnown = (request: AuthorizeRequest, authorized: AuthorizeAnswer) => Pick<AuthorizeAnswer, 'history'>;

/** Asks, with `authorize`, which of the account's rules match. */
export interface RuleLookup {
  readonly addressHash: string | null;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** Asks also for the matched rules' notes. */
  readonly notes?: true;
  /** Asks also for what the account knows of the address, its domain and its list. */
  readonly history?: HistoryLookup;
}

/**
 * The names of a domain and a list: 32 hex digits. Single calls have a list for each key and purpose, and only the object
 * knows the key.
 */
export type HistoryLookup = { readonly domain: string } & ({ readonly purpose: Purpose } | { readonly list: string });

/** What a lookup found. */
export type LookupMatch = RuleMatch & {
  readonly history?: KnownHistory;
  /** The address was erased since the job was made. */
  readonly isErased?: true;
};

/** A slice of the addresses, in the order of their names. */
export interface HistorySlice {
  readonly after: string | null;
  /** Addresses whose newest is older are removed. */
  readonly before: number;
  /** Keeps so many of those whose newest fact is of that day or later. A repeated slice removes no others. */
  readonly keep: number;
}

export interface TrimmedHistory {
  /** Goes on after this one; null means that was the last slice. */
  readonly next: string | null;
  /** What is left of `keep`. */
  readonly keep: number;
  /** How many of the addresses that stay had their newest on each day since the epoch. */
  readonly days: Readonly<Record<number, number>>;
}
