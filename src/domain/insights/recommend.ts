import type { Recommendation } from '../../contract/insights.ts';
import type { Comparison, PolicyRule } from '../../contract/policy.ts';
import { sha256Bytes } from '../../kernel/crypto.ts';
import { idFromBytes } from '../../kernel/ids.ts';
import { decimals } from '../../kernel/probability.ts';
import { type TextFault, parsePolicy } from '../policy/document.ts';
import { type Count, fitPrior, probabilityBelow, rateOf } from './rate.ts';
import {
  ATTRIBUTE_PREFIX,
  FIXED_DIMENSIONS,
  OTHER,
  type SegmentKey,
  byDimension,
  everybody,
  keyEntries,
} from './segments.ts';

/** A segment's exposures and events within the totals of a stratum. */
export interface Stratum {
  readonly exposures: number;
  readonly events: number;
  readonly allExposures: number;
  readonly allEvents: number;
}

/**
 * Lower-tail p of Mantel and Haenszel (1959), with continuity correction: the probability of so few events if the
 * segment has the overall rate in each stratum; 1 without information. Corrects for skewness: a normal tail is far too
 * heavy where events are rare, which hides effects, and too light where they are frequent.
 */
export function lowerTail(strata: readonly Stratum[]): number {
  let [excess, variance, third] = [0, 0, 0];
  for (const { exposures: n, events, allExposures: all, allEvents: m } of strata) {
    if (all < 2) continue;
    const squared = (n * (all - n) * m * (all - m)) / (all * all * (all - 1));
    excess += events - (n * m) / all;
    variance += squared;
    if (all > 2) third += (squared * (all - 2 * n) * (all - 2 * m)) / (all * (all - 2));
  }
  if (variance === 0) return 1;
  const deviation = Math.sqrt(variance);
  return normalCdf(unskewed((excess + 0.5) / deviation, third / deviation ** 3));
}

/** Nearer to 0 the formula loses its digits, and no correction is needed. */
const SKEWNESS_MIN = 1e-6;

/** The normal's z of a gamma's (Wilson and Hilferty 1931): lighter below than a normal for positive skewness. */
function unskewed(z: number, skewness: number): number {
  if (Math.abs(skewness) < SKEWNESS_MIN) return z;
  const above = (z * skewness) / 2 + 1;
  return above <= 0 ? Number.NEGATIVE_INFINITY : (6 / skewness) * (Math.cbrt(above) - 1) + skewness / 6;
}

/** Φ(z) to 7 digits (Abramowitz and Stegun 26.2.17); the tail keeps its relative digits to about z = −6. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return z < 0 ? tail : 1 - tail;
}

/** Benjamini and Hochberg (1995): each p adjusted for the number of tests, in the given order. */
export function adjusted(ps: readonly number[]): number[] {
  const order = ps.map((_, place) => place).sort((a, b) => (ps[b] ?? 0) - (ps[a] ?? 0));
  const result = Array<number>(ps.length).fill(1);
  let least = 1;
  for (const [from, place] of order.entries()) {
    least = Math.min(least, ((ps[place] ?? 1) * ps.length) / (ps.length - from));
    result[place] = least;
  }
  return result;
}

/** Counts by week of exposure, newest first. */
export interface WeeklyCount {
  readonly key: SegmentKey;
  readonly exposures: readonly number[];
  readonly events: readonly number[];
}

/** A segment that does worse than all exposures together. */
export interface WeakSegment extends Count {
  readonly key: SegmentKey;
  readonly rate: number;
  readonly baseline: number;
  /** 1 − p, adjusted for the number of segments tested. */
  readonly probability: number;
}

const RECOMMENDABLE_FROM = 100;
const SHOWN_MAX = 10;
const BELOW_WITH = 0.95;
/** The false discovery rate among single dimensions, and among pairs. */
const FALSE_DISCOVERIES = 0.025;

const PATHS = new Map(FIXED_DIMENSIONS.map(({ name, path }) => [name, path]));

/** A dimension's path in a policy's rules; null where a recommendation makes no sense. */
const pathOf = (dimension: string): string | null =>
  dimension.startsWith(ATTRIBUTE_PREFIX) ? dimension : (PATHS.get(dimension) ?? null);

/** Values that mostly mean that the policy did not ask. A rule that reads them would ask, and get another value. */
const NOT_ASKED: Readonly<Record<string, string>> = { 'icp.fit': 'unknown' };

/** Whether a rule can test the segment; an attribute's rarer values together can't be tested. */
const canBeRule = (key: SegmentKey): boolean =>
  Object.entries(key).every(
    ([dimension, value]) =>
      pathOf(dimension) !== null && value !== (dimension.startsWith(ATTRIBUTE_PREFIX) ? OTHER : NOT_ASKED[dimension]),
  );

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
const totalOf = ({ exposures, events }: WeeklyCount): Count => ({ exposures: sum(exposures), events: sum(events) });
const keyText = (key: SegmentKey): string => JSON.stringify(keyEntries(key));

/**
 * Segments whose rate is below the overall rate by more than chance: at least 100 exposures, a posterior probability of
 * 95 %, and a test by week of exposure, corrected for the number of segments. `cells` include everybody and small
 * segments, and only exposures that recommendations count. `isValidRule`: whether a rule can name the segment.
 */
export function findWeakSegments(
  cells: readonly WeeklyCount[],
  isValidRule: (key: SegmentKey) => boolean = () => true,
): WeakSegment[] {
  const all = everybody(cells);
  if (all === undefined) return [];
  const overall = totalOf(all);
  const baseline = overall.events / Math.max(1, overall.exposures);
  const ofSize = (size: number): WeakSegment[] =>
    weakOf(
      cells.filter(({ key }) => Object.keys(key).length === size),
      { all, overall, baseline },
    ).filter(({ key }) => isValidRule(key));
  const singles = ofSize(1);
  const named = new Set(singles.map(({ key }) => keyText(key)));
  const pairs = ofSize(2).filter(
    ({ key }) => !Object.entries(key).some(([dimension, value]) => named.has(keyText({ [dimension]: value }))),
  );
  const missing = ({ exposures, rate }: WeakSegment): number => exposures * (baseline - rate);
  return [...singles, ...pairs]
    .sort((a, b) => missing(b) - missing(a) || (keyText(a.key) < keyText(b.key) ? -1 : 1))
    .slice(0, SHOWN_MAX);
}

interface Everybody {
  readonly all: WeeklyCount;
  readonly overall: Count;
  readonly baseline: number;
}

/** A dimension's prior comes from all its segments, as in `rateSegments`, so that both places show the same rate. */
function weakOf(cells: readonly WeeklyCount[], { all, overall, baseline }: Everybody): WeakSegment[] {
  const tested = [...byDimension(cells).values()].flatMap((group) => {
    const prior = fitPrior(overall, group.map(totalOf));
    return group
      .filter(({ key, exposures }) => canBeRule(key) && sum(exposures) >= RECOMMENDABLE_FROM)
      .map((cell) => ({ cell, prior }));
  });
  const ps = adjusted(tested.map(({ cell }) => lowerTail(strataOf(cell, all))));
  return tested.flatMap(({ cell, prior }, place) => {
    const p = ps[place] ?? 1;
    const count = totalOf(cell);
    if (p > FALSE_DISCOVERIES || probabilityBelow(baseline, count, prior) < BELOW_WITH) return [];
    return [{ key: cell.key, ...count, rate: rateOf(count, prior).rate, baseline, probability: 1 - p }];
  });
}

const strataOf = ({ exposures, events }: WeeklyCount, all: WeeklyCount) =>
  exposures.map((count, week) => ({
    exposures: count,
    events: events[week] ?? 0,
    allExposures: all.exposures[week] ?? 0,
    allEvents: all.events[week] ?? 0,
  }));

/** The contract's defaults, tried on a fifth of the addresses first. */
const TRY_AS = { weight: 20, min_sample: 400 } as const;

const comparisons = (key: SegmentKey): Comparison[] =>
  keyEntries(key).map(([dimension, value]) => ({ path: pathOf(dimension) ?? dimension, op: 'eq', value }));

/** Stable for a metric and segment, also when another spelling of a value becomes the most frequent. */
const idOf = (metric: string, key: SegmentKey): string =>
  idFromBytes('rec', sha256Bytes(JSON.stringify([metric, comparisons(key)]).toLowerCase()).slice(0, 16));

const VALUE_SHOWN_MAX = 60;

/**
 * A value as a sentence shows it. An attribute may be text of the person who signed up: a value longer than a word is
 * cut and quoted on one line, without characters that could end the quotes, be markup or reverse the direction. The
 * rule contains it whole.
 */
function shownValue(value: SegmentKey[string]): string {
  if (typeof value !== 'string' || (/^[\w.+-]+$/.test(value) && value.length <= VALUE_SHOWN_MAX)) return String(value);
  const plain = value.replace(/[^\p{L}\p{M}\p{N} .,:;_+/()-]+/gu, '·');
  const letters = Array.from(plain);
  return `“${letters.length > VALUE_SHOWN_MAX ? `${letters.slice(0, VALUE_SHOWN_MAX).join('')}…` : plain}”`;
}

/** A segment in words: `esp is self_hosted and icp.fit is none`. */
const segmentText = (key: SegmentKey): string =>
  keyEntries(key)
    .map(([dimension, value]) => `${dimension} is ${shownValue(value)}`)
    .join(' and ');

/** A policy's rule that sends a segment to review. */
export function ruleFor(metric: string, key: SegmentKey): PolicyRule {
  const all = comparisons(key);
  const [only] = all;
  return {
    id: `review_${idOf(metric, key).slice('rec_'.length)}`,
    description: 'Signups like this one are looked at first.',
    when: only !== undefined && all.length === 1 ? only : { all },
    decision: 'review',
  };
}

/** Whether a policy accepts the rule: not every attribute value can be in one. */
export const isValidRule = (metric: string, key: SegmentKey, textFault: TextFault): boolean =>
  parsePolicy({ name: 'x', rules: [ruleFor(metric, key)], default: 'allow' }, textFault).ok;

/** A percentage with two significant digits. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

export function recommendationOf(metric: string, windowDays: number, finding: WeakSegment): Recommendation {
  const { key, rate, baseline, probability, exposures, events } = finding;
  return {
    id: idOf(metric, key),
    proposed_action: 'review',
    proposed_action_alternatives: ['challenge', 'deny'],
    rule: ruleFor(metric, key),
    evidence: {
      segment: key,
      exposures,
      events,
      rate: decimals(rate),
      baseline: decimals(baseline),
      probability: decimals(probability),
    },
    cost_note: `${exposures} reviews in the last ${windowDays} days, ${events} of them of signups that had ${metric}.`,
    try_as_experiment: TRY_AS,
    says: `Where ${segmentText(key)}, ${events} of ${exposures} exposures of the last ${windowDays} days had ${metric}: a rate of about ${percent(rate)}, against ${percent(baseline)} of all.`,
  };
}
