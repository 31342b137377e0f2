import type { PolicyRule } from '../../contract/policy.ts';
import type { CheckReason, EmailType } from '../../contract/vocabulary.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Author } from '../access/keys.ts';
import type { ParsedPolicy } from './document.ts';

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
  readonly author: Author;
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

export const DEFAULT_SLUG = 'default';

const typeIs = (type: EmailType, decision: PolicyRule['decision'], description: string): PolicyRule => ({
  id: type,
  description,
  when: { path: 'verification.email_type', op: 'eq', value: type },
  decision,
});

/** Mail can't arrive, or a rule of the account says no. The answer still carries `did_you_mean`, so that a form can offer it. */
const HOPELESS: CheckReason[] = ['syntax_invalid', 'address_blocklisted', 'domain_blocklisted', 'no_mx'];

const recommends = (
  recommendation: 'drop' | 'challenge' | 'hold',
  decision: PolicyRule['decision'],
  rule: Pick<PolicyRule, 'id'> & { readonly description: string },
): PolicyRule => ({
  ...rule,
  when: { path: 'verification.recommendation', op: 'eq', value: recommendation },
  decision,
});

/**
 * The policy an organisation begins with, with one rule for each kind of address. The first match decides: a rule that
 * denies a kind stands first, and a rule that allows one stands behind every reason against the address (a free mailbox
 * that does not exist is still denied). To turn such a rule to `deny`, move it to the front; in its old place it denies
 * only what would have been allowed.
 */
export const DEFAULT_POLICY: ParsedPolicy = {
  name: 'Default',
  rules: [
    {
      id: 'blocked',
      description: 'The address is broken, takes no mail, or is on a blocklist.',
      when: { path: 'verification.reason', op: 'in', value: HOPELESS },
      decision: 'deny',
    },
    {
      // The mail may arrive at somebody else, and the person who typed the address can put it right.
      id: 'typo',
      description: 'The address looks mistyped.',
      when: { path: 'verification.did_you_mean', op: 'exists', value: true },
      decision: 'challenge',
    },
    typeIs('disposable', 'deny', 'A disposable address.'),
    recommends('drop', 'deny', { id: 'undeliverable', description: 'Mail to the address bounces.' }),
    {
      id: 'warning',
      description: 'A provider warns of the address.',
      when: { path: 'verification.signals.warning', op: 'exists', value: true },
      decision: 'review',
    },
    recommends('challenge', 'challenge', { id: 'challenge', description: 'The address should be confirmed first.' }),
    recommends('hold', 'review', { id: 'hold', description: 'Whether mail arrives here is uncertain.' }),
    typeIs('relay', 'allow', 'A relay address.'),
    typeIs('role', 'allow', 'A role address.'),
    typeIs('free', 'allow', 'A free mailbox.'),
  ],
  default: 'allow',
  icp: null,
};

/** SHA-256 of each document that organisations began with before `DEFAULT_POLICY`. Append-only. */
export const SUPERSEDED_DEFAULTS: readonly string[] = [];

/** Whether it is one of those. */
export const isSuperseded = (document: string, superseded: readonly string[]): boolean =>
  superseded.includes(sha256Hex(document));
