import type { Purpose } from '../../contract/vocabulary.ts';
import type { KnownAnswer } from './answer.ts';
import type { HostClass } from './host-class.ts';

/**
 * What became of a message, as far as it tells about the mailbox: the server knows no such user (5.1.1, 5.1.10); it
 * refuses the mailbox for another reason; the mailbox is full (5.2.2); a transient failure; delivered; a complaint.
 */
export type DeliveryClass = 'user_unknown' | 'refused' | 'full' | 'soft' | 'delivered' | 'complaint';

/** What a person did who reads the mailbox: confirmed the address, or paid. */
export type LifeClass = 'confirmed' | 'paid';

/** One report about a message to the address. Times in epoch milliseconds. */
export interface DeliveryReport {
  readonly class: DeliveryClass;
  readonly at: number;
  /** Names the trace that the report is about, or the row of an import: one of each counts, the last. */
  readonly of: string;
  /** The key, connection or import that reported it. */
  readonly source: string;
}

/** A report as the address's row keeps it. `source`: four hex digits that stand for the one who reported (`sourceTag`). */
export type KnownReport = Pick<DeliveryReport, 'class' | 'at' | 'source'>;

export interface ProofOfLife {
  readonly class: LifeClass;
  readonly at: number;
}

/**
 * A fact that the address itself shows, before anybody is asked. `typo_domain`: the domain is a slip of a well-known
 * one. `impossible`: its provider never gave out such a local part; `unusual`: it hardly ever did.
 */
export const FEATURES = [
  'typo_domain',
  'impossible',
  'unusual',
  'gibberish',
  'placeholder',
  'parked_mail_hosts',
  'address_record_only',
  'role',
  'digits',
  'name_match',
] as const;
export type Feature = (typeof FEATURES)[number];

/** Which of its domain's two counts an address is in: its newest report that says either. */
export type Standing = 'refused' | 'delivered' | null;

/** Log-odds that an address adds to its domain's and its list's levels, as they were added, and when. */
export interface OwnPart {
  readonly domain: Int16Array;
  readonly list: Int16Array;
  readonly at: number;
  readonly counted: Standing;
}

/** What one request shows of an address without asking anybody. Hashes are 32 hex digits. */
export interface Sight {
  readonly address: string;
  readonly domain: string;
  readonly list: string | null;
  readonly at: number;
  readonly host: HostClass;
  readonly features: readonly Feature[];
  readonly purpose: Purpose;
}

/** What is new about an address. Null reports and proofs, and no answers: nothing. */
export interface Learnt {
  readonly sight: Sight;
  readonly answers: readonly KnownAnswer[];
  readonly report: DeliveryReport | null;
  readonly proof: ProofOfLife | null;
}

/** What the account knows of one address. Kept under its keyed hash, in at most 200 bytes. */
export interface AddressHistory {
  readonly firstSeenAt: number;
  readonly host: HostClass;
  readonly features: readonly Feature[];
  readonly purpose: Purpose;
  /** Keyed hash of its domain, 32 hex digits. */
  readonly domain: string;
  /** The list that it was first seen in; null: the list has not been kept. */
  readonly list: string | null;
  /** The newest answer of each provider; an `unknown` only while that provider has no other. */
  readonly answers: readonly KnownAnswer[];
  /** The last 8; of `full` and `soft` the newest alone. Oldest first. */
  readonly reports: readonly KnownReport[];
  /** The newest of each class. */
  readonly proofs: readonly ProofOfLife[];
  /** Null while nothing of it has entered its domain and its list. */
  readonly part: OwnPart | null;
}

/** Addresses of a domain that were mailed, by their newest report. Of refused signups one a day: a visitor chooses the address. */
export interface Mailed {
  readonly refused: number;
  readonly delivered: number;
}

/** Log-odds of the levels of a domain (catch-all or not, times eight) or of a list (eleven), and their time. */
export interface Levels extends Mailed {
  readonly values: Float32Array;
  readonly at: number;
  /** A delivery report has moved them. */
  readonly isReported: boolean;
  /** The UTC day, since the epoch, on which a signup of the domain was refused: its last. Null: none, or a list. */
  readonly stoppedOn: number | null;
}
export const DOMAIN_LEVELS = 16;
export const LIST_LEVELS = 11;

/**
 * What levels have beside the parts of their addresses: those of addresses that were erased since the last sweep, and by how much the
 * sweep has left parts off. Counts may be negative.
 */
export type LevelRest = Pick<Levels, 'values' | 'at' | 'refused' | 'delivered'>;

/** What the authorisation brings back about an address. Null: the account has nothing. */
export interface KnownHistory {
  readonly address: AddressHistory | null;
  readonly domain: Levels | null;
  /** The request's. */
  readonly list: Levels | null;
  /** The list in which the address was first seen, where that is another one. */
  readonly ownList?: Levels;
}
export const NO_HISTORY: KnownHistory = { address: null, domain: null, list: null };

/** The levels that an address has a part in. Null: none are kept yet. */
export type Neighbours = Pick<KnownHistory, 'domain' | 'list'>;

/** Log-odds of the levels around an address, without its own part; null: none are known. */
export interface LevelsAround {
  readonly domain: readonly number[] | null;
  readonly list: readonly number[] | null;
}
/** What an address adds to its levels, in log-odds at a time. */
export interface Said {
  readonly domain: readonly number[];
  readonly list: readonly number[];
  readonly counted: Standing;
  /** Whether reports have part in it. */
  readonly isReported: { readonly domain: boolean; readonly list: boolean };
}
/** What an address says of its domain by what is known of its list, and of its list by what is known of its domain. */
export type Shown = (around: LevelsAround, now: number) => Said;

/** How far a report about an address reaches beyond the address itself: to its domain and list, its domain alone, neither. */
export type Reach = 'all' | 'domain' | 'none';

export interface ReportGate {
  /** @param mailed of the address's domain; null: nothing is known of it */
  reachOf(
    report: KnownReport,
    address: Pick<AddressHistory, 'host' | 'reports' | 'answers'>,
    mailed: Mailed | null,
    now: number,
  ): Reach;
}

/** How addresses move the levels of their domain and list. `around` and what comes back may differ in time: levels fade. */
export interface LevelUpdate {
  /** What the address shows by the facts about it alone; null: nothing. `reachOf`: how far each of its reports reaches. */
  shown(address: AddressHistory, reachOf: (report: KnownReport) => Reach): Shown | null;
  /**
   * The address's part by all that is known of it now, and the levels with that part in place of the one it had. `sight`: the
   * request that brought what is new. `gate`: how far its reports reach; all of them everywhere where it is absent.
   */
  learn(
    address: AddressHistory,
    around: Neighbours,
    now: number,
    sight: Pick<Sight, 'purpose' | 'at'>,
    gate?: ReportGate,
  ): Neighbours & { readonly part: OwnPart | null };
  /** The levels with a part put in (1) or taken out (-1). */
  shift(around: Neighbours, part: OwnPart, sign: 1 | -1, now: number): Neighbours;
}

/** No levels are kept. */
export const NO_LEVELS: LevelUpdate = {
  shown: () => null,
  learn: (_, around) => ({ ...around, part: null }),
  shift: (around) => around,
};
