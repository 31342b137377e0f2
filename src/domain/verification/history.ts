import type { Purpose } from '../../contract/vocabulary.ts';
import type { HostClass } from './host-class.ts';
import type { KnownAnswer } from './known-evidence.ts';

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

export interface ProofOfLife {
  readonly class: LifeClass;
  readonly at: number;
}

/**
 * A fact that the address itself shows, before anybody is asked. `typo_domain`: the domain is a slip of a well-known
 * one. `impossible`: its provider gives out no such local part.
 */
export const FEATURES = [
  'typo_domain',
  'impossible',
  'gibberish',
  'placeholder',
  'parked_mail_hosts',
  'address_record_only',
  'role',
  'digits',
  'name_match',
] as const;
export type Feature = (typeof FEATURES)[number];

/** Log-odds that an address adds to its domain's and its list's levels, as they were added, and when. */
export interface OwnPart {
  readonly domain: Int16Array;
  readonly list: Int16Array;
  readonly at: number;
}

/** What the account knows of one address. Kept under its keyed hash, in at most 200 bytes. */
export interface AddressHistory {
  readonly firstSeenAt: number;
  readonly host: HostClass;
  readonly features: readonly Feature[];
  readonly purpose: Purpose;
  /** The list that it was first seen in; null: the list has not been kept. */
  readonly list: string | null;
  /** The newest answer of each provider; an `unknown` only while that provider has no other. */
  readonly answers: readonly KnownAnswer[];
  /** The last 8. */
  readonly reports: readonly DeliveryReport[];
  /** The newest of each class. */
  readonly proofs: readonly ProofOfLife[];
  /** Null while nothing of it has entered its domain and its list. */
  readonly part: OwnPart | null;
}

/** Log-odds of the levels of a domain (catch-all or not, times eight) or of a list (eleven), and their time. */
export interface Levels {
  readonly values: Float32Array;
  readonly at: number;
}
export const DOMAIN_LEVELS = 16;
export const LIST_LEVELS = 11;

/** What the authorisation brings back about an address. Null: the account has nothing. */
export interface KnownHistory {
  readonly address: AddressHistory | null;
  readonly domain: Levels | null;
  readonly list: Levels | null;
}
