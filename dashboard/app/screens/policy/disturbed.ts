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

/** The service compares texts case-insensitively. */
const fold = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
const wordsOf = ({ value }: Comparison): readonly unknown[] => [value].flat().map(fold);

const isAmong = ({ op }: Comparison): boolean => op === 'eq' || op === 'in';
const isOutside = ({ op }: Comparison): boolean => op === 'ne' || op === 'not_in';
const isFloor = ({ op }: Comparison): boolean => op === 'gt' || op === 'gte';
const isCeiling = ({ op }: Comparison): boolean => op === 'lt' || op === 'lte';

/** Whether a value meets a comparison. `otherwise` is the result for unknown operators. */
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

/** Whether one value can meet all comparisons of its path. */
function canAllHold(comparisons: readonly Comparison[]): boolean {
  const all = (known: unknown): boolean => comparisons.every((each) => meets(known, each, true));
  const words = comparisons.find(isAmong);
  if (words !== undefined) return wordsOf(words).some(all);
  const floor = Math.max(...comparisons.filter(isFloor).map(({ value }) => Number(value)));
  const ceiling = Math.min(...comparisons.filter(isCeiling).map(({ value }) => Number(value)));
  return floor < ceiling || (floor === ceiling && all(floor));
}

/** Whether one address can meet both conditions. Unknown paths may have any value. */
export function canMeet(one: PolicyCondition, other: PolicyCondition): boolean {
  const comparisons = [...partsOf(one), ...partsOf(other)].filter(isComparison);
  return comparisons.every(({ path }) => canAllHold(comparisons.filter((each) => each.path === path)));
}

/** Whether one part implies the other; false if unknown. */
function implies(one: PolicyCondition, other: PolicyCondition): boolean {
  if (isSame(one, other)) return true;
  if (!isComparison(one) || !isComparison(other) || one.path !== other.path) return false;
  if (isAmong(one)) return wordsOf(one).every((word) => meets(word, other, false));
  if (isOutside(one)) return isOutside(other) && wordsOf(other).every((word) => wordsOf(one).includes(word));
  const isOneWay = (isFloor(one) && isFloor(other)) || (isCeiling(one) && isCeiling(other));
  return isOneWay && meets(one.value, other, false);
}

type Negation = Extract<PolicyCondition, { not: unknown }>;

/** Whether a part excludes no more than the built-in guard. */
const isWithinGuard = (part: PolicyCondition): boolean =>
  isGuard(part) && implies((part as Negation).not, (GUARD as Negation).not);

/** The built-in guard is ignored: what it excludes is blocked or takes no mail, and has a stricter rule. */
export const isWithin = (one: PolicyCondition, other: PolicyCondition): boolean =>
  partsOf(other).every((part) => isWithinGuard(part) || partsOf(one).some((own) => implies(own, part)));

/** The `rules` that overlap `own`, without those whose overlap a rule of `others` covers. */
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

/** A rule that decides nothing, as another comes first for all its addresses. */
export interface Shadowed {
  readonly rule: PolicyRule;
  readonly by: PolicyRule;
}

/** Experiments never shadow, as they pass some addresses on. `disturbances` covers experiments. */
const decidesAll = ({ experiment }: PolicyRule): boolean => !experiment;

function allShadowed({ rules }: PolicyDocument): readonly Shadowed[] {
  return rules.flatMap((rule, at) => {
    const by = rules.slice(0, at).find((earlier) => decidesAll(earlier) && isWithin(rule.when, earlier.when));
    return by === undefined || !decidesAll(rule) ? [] : [{ rule, by }];
  });
}

/** Rules shadowed by the draft but not by the current version. */
export function newlyShadowed(saved: PolicyDocument, draft: PolicyDocument): readonly Shadowed[] {
  const before = new Set(allShadowed(saved).map(({ rule }) => rule.id));
  return allShadowed(draft).filter(({ rule }) => !before.has(rule.id));
}
