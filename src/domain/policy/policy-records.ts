import type { Id } from '../../kernel/ids.ts';

/** One version of a policy as it is kept. Versions never change. Time in epoch milliseconds. */
export interface PolicyVersion {
  readonly slug: string;
  /** Counts from 1. */
  readonly version: number;
  /** JSON of a valid document. */
  readonly document: string;
  readonly createdAt: number;
  /** A user or a key; null: the default policy of a new organisation. */
  readonly createdBy: string | null;
}

/** A version on its way to Postgres. */
export interface ProjectedPolicy extends PolicyVersion {
  readonly organisationId: Id<'org'>;
}

/** An account may have this many policies, of any number of versions. */
export const POLICIES_MAX = 100;

export interface PolicyChange {
  /** Our own transport may send a change twice: it is made once, and both calls get the same answer. */
  readonly operationId: string;
  readonly slug: string;
  readonly document: string;
  readonly createdBy: string;
  /** One of these versions must be in force; `any`: some version must be. Null: no condition. */
  readonly expected: readonly number[] | 'any' | null;
}

export interface PolicySaved {
  readonly ok: true;
  readonly saved: Omit<PolicyVersion, 'document'>;
}

/** `conflict`: `inForce` is not an expected version (null: the policy does not exist). `full`: the limit is reached. */
export type PolicyRefused =
  | { readonly ok: false; readonly refusal: 'conflict'; readonly inForce: number | null }
  | { readonly ok: false; readonly refusal: 'full' };

/** A page of policies; `isLast`: it is the last page. */
export interface ListedPolicies {
  readonly policies: readonly PolicyVersion[];
  readonly isLast: boolean;
}

export interface PolicyPage {
  readonly limit: number;
  /** The last slug of the page before. */
  readonly before: string | null;
}
