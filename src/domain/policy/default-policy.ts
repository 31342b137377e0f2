import type { PolicyRule } from '../../contract/policy.ts';
import type { EmailType } from '../../contract/vocabulary.ts';
import type { ParsedPolicy } from './document.ts';

export const DEFAULT_SLUG = 'default';

const typeIs = (type: EmailType, decision: PolicyRule['decision'], description: string): PolicyRule => ({
  id: type,
  description,
  when: { path: 'verification.email_type', op: 'eq', value: type },
  decision,
});

/** Leaves out blocked addresses and those that take no mail: allowing disposable ones must not let these in. */
function disposable(): PolicyRule {
  const rule = typeIs('disposable', 'deny', 'A disposable address.');
  const worse = ['address_blocklisted', 'domain_blocklisted', 'no_mx'];
  return { ...rule, when: { all: [rule.when, { not: { path: 'verification.reason', op: 'in', value: worse } }] } };
}

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
    disposable(),
    recommends('drop', 'deny', { id: 'undeliverable', description: 'Mail to this address bounces.' }),
    recommends('challenge', 'challenge', { id: 'challenge', description: 'The address should be confirmed first.' }),
    recommends('hold', 'review', { id: 'hold', description: 'Whether mail arrives here is uncertain.' }),
    typeIs('relay', 'allow', 'A relay address.'),
    typeIs('role', 'allow', 'A role address.'),
    typeIs('free', 'allow', 'A free mailbox.'),
  ],
  default: 'allow',
  icp: null,
};
