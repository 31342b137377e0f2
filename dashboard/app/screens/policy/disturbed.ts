import type { Comparison, PolicyCondition, PolicyDocument, PolicyRule } from '../../api/schema.ts';
import { isSame } from '../../lib/same.ts';
import { GUARD, isComparison, isGuard, partsOf } from './switches.ts';

/**
 * What a draft does to an experiment of the version in force.
 * - `ends`: the draft has no such experiment.
 * - `changes`: its condition, its decision or its share is another one.
 * - `empties`, `loses`: the rule `by` comes first for all, or for some, of its addresses.
 * - `gains`: the rule `by` came first for some of them, and does not in the draft.
 */
export type Disturbance =
  | { readonly kind: 'ends' | 'changes'; readonly experimentId: string }
  | { readonly kind: 'empties' | 'loses' | 'gains'; readonly experimentId: string; readonly by: PolicyRule };

/** The service compares texts without regard to case. */
const fold = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
const wordsOf = ({ value }: Comparison): readonly unknown[] => [value].flat().map(fold);

const isAmong = ({ op }: Comparison): boolean => op === 'eq' || op === 'in';
const isOutside = ({ op }: Comparison): boolean => op === 'ne' || op === 'not_in';
const isFloor = ({ op }: Comparison): boolean => op === 'gt' || op === 'gte';
const isCeiling = ({ op }: Comparison): boolean => op === 'lt' || op === 'lte';

/** Whether a value that is known meets a comparison. `otherwise`: the answer for an operator that this does not know. */
function meets(known: unknown, comparison: Comparison, otherwise: boolean): boolean {
  const [number, limit] = [Number(known), Number(comparison.value)];
  switch (comparison.op) {
    case 'eq':
    case 'in':
      return wordsOf(comparison).includes(known);
    case 'ne':
    case 'not_in':
      return !wordsOf(comparison).includes(known);
    case 'gt':
      return number > limit;
    case 'gte':
      return number >= limit;
    case 'lt':
      return number < limit;
    case 'lte':
      return number <= limit;
    case 'exists':
      return comparison.value === true;
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      break;
  }
  return otherwise;
}

/** Whether one value can meet comparisons that are all about it, as far as their words and limits tell. */
function canAllHold(comparisons: readonly Comparison[]): boolean {
  const all = (known: unknown): boolean => comparisons.every((each) => meets(known, each, true));
  const words = comparisons.find(isAmong);
  if (words !== undefined) return wordsOf(words).some(all);
  const floor = Math.max(...comparisons.filter(isFloor).map(({ value }) => Number(value)));
  const ceiling = Math.min(...comparisons.filter(isCeiling).map(({ value }) => Number(value)));
  return floor < ceiling || (floor === ceiling && all(floor));
}

/** Whether one address can meet both conditions. A path that this does not know may have any value: a newer service may know it. */
export function canMeet(one: PolicyCondition, other: PolicyCondition): boolean {
  const comparisons = [...partsOf(one), ...partsOf(other)].filter(isComparison);
  return comparisons.every(({ path }) => canAllHold(comparisons.filter((each) => each.path === path)));
}

/** Whether what meets one part meets the other as well; false where this can't tell. */
function implies(one: PolicyCondition, other: PolicyCondition): boolean {
  if (isSame(one, other)) return true;
  if (!isComparison(one) || !isComparison(other) || one.path !== other.path) return false;
  if (isAmong(one)) return wordsOf(one).every((word) => meets(word, other, false));
  if (isOutside(one)) return isOutside(other) && wordsOf(other).every((word) => wordsOf(one).includes(word));
  const isOneWay = (isFloor(one) && isFloor(other)) || (isCeiling(one) && isCeiling(other));
  return isOneWay && meets(one.value, other, false);
}

type Negation = Extract<PolicyCondition, { not: unknown }>;

/** Whether a part leaves out no more than the built-in guard. */
const isWithinGuard = (part: PolicyCondition): boolean =>
  isGuard(part) && implies((part as Negation).not, (GUARD as Negation).not);

/** What the built-in guard leaves out is blocked or takes no mail, and has a stricter rule of its own: it tells no two conditions apart. */
export const isWithin = (one: PolicyCondition, other: PolicyCondition): boolean =>
  partsOf(other).every((part) => isWithinGuard(part) || partsOf(one).some((own) => implies(own, part)));

/** Of `rules`, those that can meet addresses of `own`, and whose addresses among them no rule of `others` covers. */
const newAmong = (
  rules: readonly PolicyRule[],
  others: readonly PolicyRule[],
  own: PolicyRule,
): readonly PolicyRule[] =>
  rules.filter(
    ({ when }) =>
      canMeet(when, own.when) &&
      !others.some((rule) => isWithin({ all: [...partsOf(when), ...partsOf(own.when)] }, rule.when)),
  );

const isSameTrial = (one: PolicyRule, other: PolicyRule): boolean =>
  isSame(one.when, other.when) &&
  one.decision === other.decision &&
  one.flow === other.flow &&
  one.experiment?.weight === other.experiment?.weight;

/**
 * What becomes of the running experiments of `saved`. The decisions of rules before them don't matter, and no more whether such a
 * rule is an experiment itself: an address counts for the first experiment that it meets, in either arm.
 */
export function disturbances(saved: PolicyDocument, draft: PolicyDocument): readonly Disturbance[] {
  return saved.rules.flatMap((was, place): readonly Disturbance[] => {
    if (!was.experiment) return [];
    const { id: experimentId } = was.experiment;
    const at = draft.rules.findIndex((rule) => rule.experiment?.id === experimentId);
    const own = draft.rules[at];
    if (own === undefined) return [{ kind: 'ends', experimentId }];
    const [before, after] = [saved.rules.slice(0, place), draft.rules.slice(0, at)];
    const taking = newAmong(after, before, own).map((by): Disturbance => {
      const kind = isWithin(own.when, by.when) ? 'empties' : 'loses';
      return { kind, experimentId, by };
    });
    const leaving = newAmong(before, after, own).map((by): Disturbance => ({ kind: 'gains', experimentId, by }));
    return [...(isSameTrial(was, own) ? [] : [{ kind: 'changes', experimentId } as const]), ...taking, ...leaving];
  });
}

/** A rule that decides nothing, because another one comes first for all that it could decide. */
export interface Shadowed {
  readonly rule: PolicyRule;
  readonly by: PolicyRule;
}

/** An experiment lets some addresses go on to the rules after it. `disturbances` says what takes addresses from an experiment. */
const decidesAll = ({ experiment }: PolicyRule): boolean => !experiment;

function allShadowed({ rules }: PolicyDocument): readonly Shadowed[] {
  return rules.flatMap((rule, at) => {
    const by = rules.slice(0, at).find((earlier) => decidesAll(earlier) && isWithin(rule.when, earlier.when));
    return by === undefined || !decidesAll(rule) ? [] : [{ rule, by }];
  });
}

/** The rules that a draft shadows and the version in force does not. */
export function newlyShadowed(saved: PolicyDocument, draft: PolicyDocument): readonly Shadowed[] {
  const before = new Set(allShadowed(saved).map(({ rule }) => rule.id));
  return allShadowed(draft).filter(({ rule }) => !before.has(rule.id));
}
