import { ATTRIBUTE_PREFIX, FIXED_DIMENSIONS, OTHER } from './dimensions.ts';
import { type Count, fitPrior, probabilityBelow, rateOf } from './rate.ts';
import { byDimension, everybody, keyEntries, type SegmentKey } from './segments.ts';
import { adjusted, lowerTail } from './significance.ts';

/** Counts by week of exposure, the newest first. */
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
/** The false discovery rate allowed among single dimensions, and the same among pairs. */
const FALSE_DISCOVERIES = 0.025;

const PATHS = new Map(FIXED_DIMENSIONS.map(({ name, path }) => [name, path]));

/** A dimension's path in a policy's rules; null where a recommendation makes no sense. */
export const pathOf = (dimension: string): string | null =>
  dimension.startsWith(ATTRIBUTE_PREFIX) ? dimension : (PATHS.get(dimension) ?? null);

/** Values that mostly mean that the policy did not ask. A rule that reads them would ask, and get another value. */
const NOT_ASKED: Readonly<Record<string, string>> = { 'icp.fit': 'unknown' };

/** Whether a rule can test the segment; the rarer values of an attribute together can't be tested. */
const canBeRule = (key: SegmentKey): boolean =>
  Object.entries(key).every(
    ([dimension, value]) =>
      pathOf(dimension) !== null && value !== (dimension.startsWith(ATTRIBUTE_PREFIX) ? OTHER : NOT_ASKED[dimension]),
  );

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
const totalOf = ({ exposures, events }: WeeklyCount): Count => ({ exposures: sum(exposures), events: sum(events) });
const keyText = (key: SegmentKey): string => JSON.stringify(keyEntries(key));

/**
 * The segments whose rate is below the overall rate by more than chance: at least 100 exposures, a posterior probability
 * of 95 %, and a test by week of exposure, corrected for the number of segments. Only the counts decide. `cells` hold
 * everybody and small segments too, and only exposures that recommendations count. `isValidRule`: whether a rule can name
 * the segment.
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
