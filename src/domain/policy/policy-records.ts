import type { Id } from '../../kernel/ids.ts';

/** One version of a policy as it is kept. Versions never change. Time in epoch milliseconds. */
export interface PolicyVersion {
  readonly slug: string;
  /** Counts from 1. */
  readonly version: number;
  /** JSON of a document that was found valid. */
  readonly document: string;
  readonly createdAt: number;
  /** A user or a key; null: it came with the organisation. */
  readonly createdBy: string | null;
}

/** A version on its way to Postgres. */
export interface ProjectedPolicy extends PolicyVersion {
  readonly organisationId: Id<'org'>;
}

/** An account may have this many policies, of any number of versions. */
export const POLICIES_MAX = 100;

export interface PolicyChange {
  /** Our own transport may send a change twice: it is made once, and both get its answer. */
  readonly operationId: string;
  readonly slug: string;
  readonly document: string;
  readonly createdBy: string;
  /** The versions of which one must be in force; `any`: some must. Null: whatever is. */
  readonly expected: readonly number[] | 'any' | null;
}

export interface PolicySaved {
  readonly ok: true;
  readonly saved: Omit<PolicyVersion, 'document'>;
}

/** `conflict`: `inForce`, another version than was expected (null: no such policy); `full`: there are all there may be. */
export type PolicyRefused =
  | { readonly ok: false; readonly refusal: 'conflict'; readonly inForce: number | null }
  | { readonly ok: false; readonly refusal: 'full' };

/** A page; `isLast`: no policy comes after it. */
export interface ListedPolicies {
  readonly policies: readonly PolicyVersion[];
  readonly isLast: boolean;
}

export interface PolicyPage {
  readonly limit: number;
  /** The last slug of the page before. */
  readonly before: string | null;
}
