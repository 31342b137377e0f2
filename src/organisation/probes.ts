import type { Purpose } from '../contract/vocabulary.ts';
import type { SourceErrors } from '../domain/belief/evidence.ts';
import type { AddressFacts } from '../domain/belief/facts.ts';
import type { Contribution, Groups } from '../domain/belief/groups.ts';
import type { RuleMatch } from '../domain/rules/types.ts';

/** Asks, with `admit`, which of the account's rules match. */
export interface RuleProbe {
  readonly addressHash: string | null;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** Asks also for the matched rules' notes. */
  readonly notes?: true;
  /** Asks also for what the account knows of the address, its domain and its list. */
  readonly history?: HistoryProbe;
}

/** What the account knows of an address and of what surrounds it. */
export interface KnownHistory {
  /** Null: the account has nothing. */
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
  groups: { domain: null, list: null, account: null, catchAlls: null },
  isOwnList: false,
  isTrusted: false,
  errors: {},
};

/**
 * The names of a domain and a list: 32 hex digits. Single calls have a list for each key and purpose, and only the object
 * knows the key.
 */
export type HistoryProbe = { readonly domain: string } & ({ readonly purpose: Purpose } | { readonly list: string });

/** What a probe found. */
export type ProbeMatch = RuleMatch & {
  readonly history?: KnownHistory;
  /** The address was erased since the job was made. */
  readonly isErased?: true;
};

/** A slice of the addresses, in the order of their names. */
export interface HistorySlice {
  readonly after: string | null;
  /** Addresses whose newest is older are removed. */
  readonly before: number;
  /** Of those whose newest came on the day from then on, so many go too. */
  readonly more: number;
}

export interface TrimmedHistory {
  /** Goes on after this one; null: that was the last slice. */
  readonly next: string | null;
  /** What is left of `more`. */
  readonly more: number;
  /** How many of the addresses that stay had their newest on each day since the epoch. */
  readonly days: Readonly<Record<number, number>>;
}
