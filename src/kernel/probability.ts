import { betaQuantile } from './beta.ts';

/** Both ends in [0, 1], low ≤ high. */
export type Interval = readonly [low: number, high: number];

/** Probability mass of every interval the service reports, equal tails. */
const INTERVAL_MASS = 0.9;

/** A probability as answers show it, or log-odds as they are kept: none is known to more than six decimals. */
export const decimals = (value: number): number => Math.round(value * 1e6) / 1e6;

export const oddsOf = (probability: number): number => probability / (1 - probability);
export const logOddsOf = (probability: number): number => Math.log(oddsOf(probability));

export const intervalWidth = ([low, high]: Interval): number => high - low;

/** More pseudo-observations would not change a shown digit, and the quantile's work grows with their square root. */
const LARGEST_SIZE = 1e8;

/** Below it a shape's reciprocal overflows; such a mean shows as 0 or 1. */
const SMALLEST_SHAPE = 1e-300;

/**
 * Equal-tailed 90 % interval of the Beta distribution with this mean and size (pseudo-observations). It is widened to
 * hold the mean, which lies beyond the 95 % quantile in a strongly skewed Beta. A mean of 0 or 1 is certain: the point
 * itself.
 */
export function betaInterval(mean: number, size: number): Interval {
  const counted = Math.min(size, LARGEST_SIZE);
  const [successes, failures] = [mean * counted, (1 - mean) * counted];
  if (successes < SMALLEST_SHAPE || failures < SMALLEST_SHAPE) return [mean, mean];
  const outside = (1 - INTERVAL_MASS) / 2;
  return [
    Math.min(mean, betaQuantile(outside, successes, failures)),
    Math.max(mean, betaQuantile(1 - outside, successes, failures)),
  ];
}
