import { type Group, KIND_NAMES, KINDS, type KindName } from './kinds.ts';
import type { Bin, JudgeName, Score, WorldScores } from './score.ts';

/** A figure with its target. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly digits?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export const reaches = ({ value, atLeast, atMost }: Figure): boolean | null =>
  atLeast === undefined && atMost === undefined
    ? null
    : value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), -Infinity);
const costOf = ({ money }: Score): number => money.spend + money.loss;

/** Sums all worlds of a kind, since a single file is small. */
const costOver = (worlds: readonly WorldScores[]): number =>
  sum(worlds.map(({ scores }) => costOf(scores.model))) / sum(worlds.map(({ scores }) => costOf(scores.frozen)));

const lossOver =
  (of: 'before' | 'after') =>
  ({ scores }: WorldScores): number =>
    scores.model[of].crossEntropy / scores.model[of].entropy;

/** The bins of some worlds, added up. */
function binsOf(worlds: readonly WorldScores[], judge: JudgeName): Bin[] {
  const all = worlds.map(({ scores }) => scores[judge].bins);
  return (all[0] ?? []).map((_, place) => {
    const total = (of: keyof Bin): number => sum(all.map((bins) => bins[place]?.[of] ?? 0));
    return {
      count: total('count'),
      probability: total('probability'),
      low: total('low'),
      high: total('high'),
      truth: total('truth'),
    };
  });
}

/** The size-weighted distance between each bin's mean probability and its bounce share. */
export function calibrationError(bins: readonly Bin[]): number {
  return sum(bins.map(({ probability, truth }) => Math.abs(probability - truth))) / sum(bins.map(({ count }) => count));
}

/**
 * Share of answers whose interval holds the exact probability. Where that can't be had: of those in bins whose share of bounces lies
 * between the bin's mean ends, give or take two standard errors.
 */
function coverage(worlds: readonly WorldScores[], judge: JudgeName): number {
  const exact = sum(worlds.map(({ scores }) => scores[judge].coverage.of));
  if (exact > 0) return sum(worlds.map(({ scores }) => scores[judge].coverage.held)) / exact;
  const bins = binsOf(worlds, judge).filter(({ count }) => count > 0);
  const isHeld = ({ count, low, high, truth }: Bin): boolean => {
    const rate = truth / count;
    const error = 2 * Math.sqrt(Math.max(rate * (1 - rate), 1 / count) / count);
    return rate >= low / count - error && rate <= high / count + error;
  };
  return sum(bins.filter(isHeld).map(({ count }) => count)) / sum(bins.map(({ count }) => count));
}

const bouncesPer1000 = (worlds: readonly WorldScores[], judge: JudgeName): number =>
  (1_000 * sum(worlds.map(({ scores }) => scores[judge].bounces))) /
  sum(worlds.map(({ scores }) => scores[judge].money.visits));

const victimsPer1000 = (worlds: readonly WorldScores[], judge: JudgeName): number =>
  (1_000 * sum(worlds.map(({ scores }) => scores[judge].victims.challenged))) /
  sum(worlds.map(({ scores }) => scores[judge].victims.living));

const COST_AT_MOST: Readonly<Record<Group, number>> = { near: 1.02, departure: 1.03, far: 1.03, new: 1 };
const costAtMost = (kind: KindName): number => (kind === '0.3 % dead' ? 1.1 : COST_AT_MOST[KINDS[kind].group]);

const of = (worlds: readonly WorldScores[], kind: KindName): WorldScores[] =>
  worlds.filter((world) => world.kind === kind);

/** A row of the table for each kind of world that was run. */
export function rowsOf(worlds: readonly WorldScores[]): string[][] {
  const kinds = KIND_NAMES.filter((kind) => of(worlds, kind).length > 0);
  return kinds.map((kind) => {
    const own = of(worlds, kind);
    const isNear = KINDS[kind].group === 'near';
    const cost = costOver(own);
    const error = calibrationError(binsOf(own, 'model'));
    const held = coverage(own, 'model');
    const mark = (isOk: boolean): string => (isOk ? '' : ' !');
    const loss = (which: 'before' | 'after', atMost: number): string => {
      const values = own.map(lossOver(which));
      if (values.some(Number.isNaN)) return '';
      return `${mean(values).toFixed(3)}${isNear ? mark(mean(values) <= atMost) : ''}`;
    };
    return [
      kind,
      String(own.length),
      loss('before', 1.035),
      loss('after', 1.06),
      `${cost.toFixed(3)}${mark(cost <= costAtMost(kind))}`,
      `≤ ${costAtMost(kind)}`,
      `${error.toFixed(4)}${mark(error <= 0.01)}`,
      calibrationError(binsOf(own, 'frozen')).toFixed(4),
      `${(100 * held).toFixed(1)}${mark(held >= (isNear ? 0.87 : 0.85) && (!isNear || held <= 0.95))}`,
      (100 * coverage(own, 'frozen')).toFixed(1),
      `${bouncesPer1000(own, 'model').toFixed(1)} (${bouncesPer1000(own, 'frozen').toFixed(1)})`,
    ];
  });
}
export const HEADS = [
  'world',
  'n',
  'before',
  'after',
  'cost',
  'target',
  'error',
  'old',
  'cover %',
  'old',
  'bounces ‰ (old)',
];

/** The figures that stand over several kinds of worlds, or over the worlds of one. */
export function figuresOf(worlds: readonly WorldScores[]): Figure[] {
  const near = of(worlds, 'near');
  const inGroup = (group: Group): KindName[] =>
    KIND_NAMES.filter((kind) => KINDS[kind].group === group && of(worlds, kind).length > 0);
  const hostile = of(worlds, 'hostile visitor');
  const newCosts = inGroup('new').map((kind) => costOver(of(worlds, kind)));
  const nearCosts = near.map((world) => costOver([world]));
  const figures: Figure[] = [
    {
      name: 'near: loss over the exact posterior before asking',
      value: mean(near.map(lossOver('before'))),
      atMost: 1.035,
    },
    { name: 'near: the same after asking', value: mean(near.map(lossOver('after'))), atMost: 1.06 },
    { name: 'near: cost over the old model’s, mean', value: mean(nearCosts), atMost: 1.02 },
    { name: 'near: the worst world', value: largest(nearCosts), atMost: 1.05 },
    { name: 'new worlds: cost over the old model’s, mean of kinds', value: mean(newCosts), atMost: 0.9 },
    { name: 'new worlds: the worst kind', value: largest(newCosts), atMost: 1 },
    {
      name: 'hostile visitor: honest signups there not sent, per 1,000',
      value: victimsPer1000(hostile, 'model'),
      atMost: 50,
    },
    { name: 'the same of the old model', value: victimsPer1000(hostile, 'frozen') },
  ];
  return figures.filter(({ value }) => !Number.isNaN(value) && Number.isFinite(value));
}
