import type {
  Comparison,
  Decision,
  Policy,
  PolicyCondition,
  PolicyRule,
  Recommendations,
  Segments,
} from '../../api/schema.ts';
import { formatShare } from '../../lib/format.ts';
import { isSame } from '../../lib/same.ts';
import { canMeet, isWithin } from '../policy/disturbed.ts';
import { isStricter, partsOf } from '../policy/switches.ts';
import { segmentName } from './metric.ts';

type Recommendation = Recommendations['recommendations'][number];

/** Two conditions that mean the same addresses. */
const DISPOSABLE: readonly Comparison[] = [
  { path: 'verification.signals.disposable', op: 'eq', value: true },
  { path: 'verification.email_type', op: 'eq', value: 'disposable' },
];

/** A condition with all equal spellings of its parts. */
function spelledOut(when: PolicyCondition): PolicyCondition {
  const parts = partsOf(when);
  const isDisposable = parts.some((part) => DISPOSABLE.some((each) => isSame(each, part)));
  return { all: [...parts, ...(isDisposable ? DISPOSABLE : [])] };
}

/** The current rule that decides all addresses of a condition at least as strictly; null if none does. */
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
type Rules = Pick<Policy, 'slug' | 'rules'>;

function decidedText({ slug }: Rules, { id, decision }: PolicyRule, these: string): string {
  const does = { deny: `denies ${these}`, challenge: `challenges ${these}` }[decision as string];
  return `The policy “${slug}” ${does ?? `sends ${these} to review`} already, by the rule ${id}, which may explain the low rate.`;
}

/** Notes that another segment's rule already decides most of these addresses; null if none does. */
export function mostlyAlreadyText(policy: Rules, { rule, proposed_action: action }: Decided, other: Decided) {
  const found = ruleFor(policy.rules, other.rule.when, action);
  if (found === null || found.id === rule.id || found.id === other.rule.id) return null;
  return decidedText(policy, found, 'most of these');
}

/** Notes that the policy already decides the segment as strictly, which may explain its rate; null if not. */
export function alreadyText(policy: Rules, { rule, proposed_action: action }: Decided): string | null {
  const found = ruleFor(policy.rules, rule.when, action);
  return found === null || found.id === rule.id ? null : decidedText(policy, found, 'these');
}

type Evidence = Recommendations['recommendations'][number]['evidence'];

/** Share of common addresses from which one segment is mostly the other. */
const MOST = 0.5;

/** Whether two dimensions are counted together. Pairs with few common addresses are left out. */
const isPair = (key: Evidence['segment']): boolean =>
  Object.keys(key).length === 2 && !Object.keys(key).some((dimension) => dimension.startsWith('attributes.'));

const countOf = (key: Evidence['segment'], { segments, too_few: few }: Segments): number | undefined =>
  [...segments, ...few].find((each) => isSame(each.key, key))?.exposures;

/**
 * Which shares of either segment's addresses are the other's too; null: the counts do not tell. Recommendations count fewer addresses
 * than segments do, so all of it comes from the segments.
 */
function sharesOf(
  one: Evidence,
  other: Evidence,
  counted: Segments,
): { readonly own: number; readonly others: number } | null {
  const both = { ...one.segment, ...other.segment };
  const isDisjoint = Object.entries(one.segment).some(([dimension, value]) => both[dimension] !== value);
  if (isDisjoint) return { own: 0, others: 0 };
  const [own, others] = [one.segment, other.segment].map((key) => countOf(key, counted));
  const shared = countOf(both, counted) ?? (isPair(both) ? 0 : undefined);
  return shared !== undefined && own && others ? { own: shared / own, others: shared / others } : null;
}

/** Whether a segment is mostly another one, by the counts. */
export const isMostly = (own: Evidence, other: Evidence, counted: Segments): boolean =>
  (sharesOf(own, other, counted)?.own ?? 0) >= MOST;

/** Notes that two segments are mostly the same addresses, so their gains are one; null if not. */
export function overlapText(own: Evidence, other: Evidence, counted: Segments): string | null {
  const shares = sharesOf(own, other, counted);
  const name = `“${segmentName(other.segment)}”`;
  if (shares === null)
    return own.exposures === other.exposures && own.events === other.events
      ? `Probably the same addresses as ${name}.`
      : null;
  if (shares.own >= MOST) return `${formatShare(shares.own)} of these addresses are also in ${name}.`;
  if (shares.others >= MOST) return `Includes ${formatShare(shares.others)} of ${name}.`;
  return null;
}
