import type { Id } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/keys.ts';
import type { SourceErrors } from '../belief/evidence.ts';
import type { AddressFacts, KnownAnswer, KnownReport, ProofOfLife } from '../belief/facts.ts';
import { type Contribution, type Groups, NO_GROUPS } from '../belief/groups.ts';
import type { LossesInForce } from '../router/losses.ts';
import type { RuleMatch } from '../rules/rules.ts';

/** What the account knows of an address and of what surrounds it. */
export interface KnownHistory {
  /** Null means the account has nothing. */
  readonly address: (AddressFacts & { readonly contribution: Contribution | null }) | null;
  readonly groups: Groups;
  /** Whether the request's list, which is `groups.list`, is the one that the address contributed to. */
  readonly isOwnList: boolean;
  /** A source of the account's reports has passed the trust policy. */
  readonly isTrusted: boolean;
  readonly errors: SourceErrors;
}
export const NO_HISTORY: KnownHistory = {
  address: null,
  groups: NO_GROUPS,
  isOwnList: false,
  isTrusted: false,
  errors: {},
};

/** What an organisation's object knows that an answer follows from. Only an authorised request gets it. */
export interface Account {
  readonly key: { readonly id: Id<'key'>; readonly mode: KeyMode };
  readonly rules: RuleMatch;
  readonly history: KnownHistory;
  /** What is left of the month's provider budget; below 0 of a budget of 0. Null means unlimited. */
  readonly providerLeftMicros: number | null;
  /** What mistakes cost the account. */
  readonly losses: LossesInForce;
  /** Vendors that the account has switched off. */
  readonly off: readonly string[];
}

/** What the account knows of an address, and what organisations share of its domain, as far as it still counts. */
export interface KnownFacts {
  /** Answers about this address: at most one of each provider. */
  readonly answers: readonly KnownAnswer[];
  readonly reports: readonly KnownReport[];
  readonly proofs: readonly ProofOfLife[];
  /** What the shared flag of the domain says to this organisation. */
  readonly told: boolean | null;
  /** Milliseconds until the newest of answers and reports is forgotten; 0 without any. */
  readonly ttlMs: number;
}

export const NOTHING_KNOWN: KnownFacts = { answers: [], reports: [], proofs: [], told: null, ttlMs: 0 };
