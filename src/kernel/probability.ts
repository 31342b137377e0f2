import { betaQuantile } from './beta.ts';

/** Both ends in [0, 1], low ≤ high. */
export type Interval = readonly [low: number, high: number];

/** Probability mass of every interval the service reports, equal tails. */
const INTERVAL_MASS = 0.9;

export const intervalWidth = ([low, high]: Interval): number => high - low;

/**
 * Equal-tailed 90 % interval of the Beta distribution with this mean and size (pseudo-observations), widened to hold the
 * mean: of a strongly skewed Beta the mean lies beyond the 95 % quantile.
 */
export function betaInterval(mean: number, size: number): Interval {
  const successes = mean * size;
  const failures = (1 - mean) * size;
  // A certain mean, or so much evidence that the distribution is a point: no Beta with these shapes.
  if (!(successes > 0 && failures > 0 && size < Number.POSITIVE_INFINITY)) return [mean, mean];
  const outside = (1 - INTERVAL_MASS) / 2;
  return [
    Math.min(mean, betaQuantile(outside, successes, failures)),
    Math.max(mean, betaQuantile(1 - outside, successes, failures)),
  ];
}
