import type { PolicyRule } from '../../contract/policy.ts';
import type { CheckReason, EmailType } from '../../contract/vocabulary.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import type { ParsedPolicy } from './document.ts';

export const DEFAULT_SLUG = 'default';

const typeIs = (type: EmailType, decision: PolicyRule['decision'], description: string): PolicyRule => ({
  id: type,
  description,
  when: { path: 'verification.email_type', op: 'eq', value: type },
  decision,
});

const WORSE: CheckReason[] = ['address_blocklisted', 'domain_blocklisted', 'no_mx'];

/** A rule that allows a kind of address must not allow those that are blocked or take no mail. */
const unlessWorse = (rule: PolicyRule): PolicyRule => ({
  ...rule,
  when: { all: [rule.when, { not: { path: 'verification.reason', op: 'in', value: WORSE } }] },
});

/** The mail may arrive at somebody else, and the person who typed the address can put it right. */
const SLIP: PolicyRule = {
  id: 'slip',
  description: 'The domain looks mistyped.',
  when: { path: 'verification.did_you_mean', op: 'exists', value: true },
  decision: 'challenge',
};

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
    unlessWorse(SLIP),
    unlessWorse(typeIs('disposable', 'deny', 'A disposable address.')),
    recommends('drop', 'deny', {
      id: 'undeliverable',
      description: 'The address is blocked or broken, or mail to it bounces.',
    }),
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
