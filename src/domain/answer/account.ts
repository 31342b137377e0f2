import type { Id } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/keys.ts';
import type { SourceErrors } from '../belief/evidence.ts';
import type { AddressFacts, KnownAnswer, KnownReport, ProofOfLife } from '../belief/facts.ts';
import { type Contribution, type Groups, NO_GROUPS } from '../belief/groups.ts';
import type { LossesInForce } from '../router/losses.ts';
import type { RuleMatch } from '../rules/rules.ts';

/** What the account knows about an address and its groups. */
export interface KnownHistory {
  readonly address: (AddressFacts & { readonly contribution: Contribution | null }) | null;
  readonly groups: Groups;
  /** Whether the address contributed to the request's list, `groups.list`. */
  readonly isOwnList: boolean;
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

/** The organisation object's facts that an answer follows from. Only an authorised request gets them. */
export interface Account {
  readonly key: { readonly id: Id<'key'>; readonly mode: KeyMode };
  readonly rules: RuleMatch;
  readonly history: KnownHistory;
  /** What is left of the month's provider budget, below 0 with a budget of 0; null means unlimited. */
  readonly providerLeftMicros: number | null;
  readonly losses: LossesInForce;
  /** Vendors that the account switched off. */
  readonly off: readonly string[];
}

/** Facts about an address that still count: the account's, and the shared flag of its domain. */
export interface KnownFacts {
  /** At most one of each provider. */
  readonly answers: readonly KnownAnswer[];
  readonly reports: readonly KnownReport[];
  readonly proofs: readonly ProofOfLife[];
  /** The domain's shared flag, as this organisation may see it. */
  readonly told: boolean | null;
  /** Milliseconds until the newest answer or report is forgotten; 0 without any. */
  readonly ttlMs: number;
}

export const NOTHING_KNOWN: KnownFacts = { answers: [], reports: [], proofs: [], told: null, ttlMs: 0 };
