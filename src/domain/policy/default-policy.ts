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

/** Says nothing of what the account itself has blocked, or of what gets no mail: letting the kind in lets none of these in. */
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
 * The policy an organisation begins with. One switch a kind of address: `disposable` is off, the others on. The first match
 * decides, so the order says what a switch means: one that denies stands before all else; one that allows only lets the
 * kind be, and stands behind whatever else there is to say against the address (a free mailbox that does not exist is
 * still refused). Who turns a switch to `deny` moves its rule to the front; left in its place it denies only what would
 * have been allowed.
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
