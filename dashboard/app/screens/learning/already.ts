import type { Comparison, Decision, Policy, PolicyCondition, PolicyRule, Recommendations } from '../../api/schema.ts';
import { isSame } from '../../lib/same.ts';
import { canMeet, isWithin } from '../policy/disturbed.ts';
import { isStricter, partsOf } from '../policy/switches.ts';

type Recommendation = Recommendations['recommendations'][number];

/** Two conditions that the same addresses meet. */
const DISPOSABLE: readonly Comparison[] = [
  { path: 'verification.signals.disposable', op: 'eq', value: true },
  { path: 'verification.email_type', op: 'eq', value: 'disposable' },
];

/** The condition with every spelling of its parts. */
function spelledOut(when: PolicyCondition): PolicyCondition {
  const parts = partsOf(when);
  const isDisposable = parts.some((part) => DISPOSABLE.some((each) => isSame(each, part)));
  return { all: [...parts, ...(isDisposable ? DISPOSABLE : [])] };
}

/** The rule of a policy in force that decides all that meet a condition, at least as strictly; null: its document shows none. */
function ruleFor(rules: readonly PolicyRule[], condition: PolicyCondition, decision: Decision): PolicyRule | null {
  const when = spelledOut(condition);
  for (const rule of rules) {
    const isLess = isStricter(decision, rule.decision);
    if (isLess && canMeet(when, rule.when)) return null;
    if (!isLess && rule.experiment === undefined && isWithin(when, rule.when)) return rule;
  }
  return null;
}

type Decided = Pick<Recommendation, 'rule' | 'proposed_action'>;

/** That a policy decides most of a segment's addresses already, by what it does with another one that has them too; null: it does not. */
export function mostlyAlreadyText(
  { slug, rules }: Pick<Policy, 'slug' | 'rules'>,
  { rule: own, proposed_action: action }: Decided,
  other: Decided,
): string | null {
  const found = ruleFor(rules, other.rule.when, action);
  if (found === null || found.id === own.id || found.id === other.rule.id) return null;
  const { id, decision } = found;
  return `The policy “${slug}” ${decision === 'deny' ? 'denies most of these already' : decision === 'challenge' ? 'challenges most of these already' : 'sends most of these to review already'}, by the rule ${id}, which may explain the low rate.`;
}

/** That a policy decides a segment at least as strictly already, from which its rate may follow; null: it does not look so. */
export function alreadyText(
  { slug, rules }: Pick<Policy, 'slug' | 'rules'>,
  { rule, proposed_action: action }: Decided,
): string | null {
  const found = ruleFor(rules, rule.when, action);
  if (found === null || found.id === rule.id) return null;
  const { id, decision } = found;
  return `The policy “${slug}” ${decision === 'deny' ? 'denies these already' : decision === 'challenge' ? 'challenges these already' : 'sends these to review already'}, by the rule ${id}, which may explain the low rate.`;
}
