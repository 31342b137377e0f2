import { betaCdf, betaInterval, decimals, type Interval, lnGamma } from '../../kernel/probability.ts';

/** Exposures, and how many of them were followed by an event. */
export interface Count {
  readonly exposures: number;
  readonly events: number;
}

/** The Beta prior of a segment's rate: centred on the account's, worth `weight` exposures. */
export interface RatePrior {
  readonly mean: number;
  readonly weight: number;
}

export interface Rate {
  readonly rate: number;
  /** 90 %, equal tails. */
  readonly ci: Interval;
}

export const shownRate = ({ rate, ci: [low, high] }: Rate): { rate: number; ci: [number, number] } => ({
  rate: decimals(rate),
  ci: [decimals(low), decimals(high)],
});

const WEIGHTS = [3, 5, 10, 20, 50, 100, 300];
/** The weight without data, and how widely its logarithm may vary. */
const USUAL_WEIGHT = 20;
const LN_SPREAD = 1;

/** Kept off 0 and 1: a prior must allow for both while all or none of the exposures have an event. */
const centre = ({ exposures, events }: Count): number => (events + 0.5) / (exposures + 1);

/** Jeffreys' prior, for a rate compared with one other: a prior centred near 0 would take a single event for proof. */
export const JEFFREYS: RatePrior = { mean: 0.5, weight: 1 };

/** The prior of a dimension's segments: the more alike, the more each borrows from all (beta-binomial). */
export function fitPrior(overall: Count, segments: readonly Count[]): RatePrior {
  const mean = centre(overall);
  const scored = WEIGHTS.map((weight) => {
    const penalty = (Math.log(weight / USUAL_WEIGHT) / LN_SPREAD) ** 2 / 2;
    return { weight, score: segments.reduce((sum, count) => sum + lnLikelihood(count, mean, weight), -penalty) };
  });
  const best = scored.reduce((most, one) => (one.score > most.score ? one : most));
  return { mean, weight: best.weight };
}

/** ln P(events | exposures) of the beta-binomial, without the binomial coefficient, which is constant. */
function lnLikelihood({ exposures, events }: Count, mean: number, weight: number): number {
  const [a, b] = [mean * weight, (1 - mean) * weight];
  return lnRising(a, events) + lnRising(b, exposures - events) - lnRising(weight, exposures);
}

/** ln of x (x + 1) … (x + n − 1). */
const lnRising = (x: number, n: number): number => lnGamma(x + n) - lnGamma(x);

const shapes = ({ exposures, events }: Count, { mean, weight }: RatePrior): [a: number, b: number] => [
  mean * weight + events,
  (1 - mean) * weight + exposures - events,
];

export function rateOf(count: Count, prior: RatePrior): Rate {
  const [a, b] = shapes(count, prior);
  const rate = a / (a + b);
  return { rate, ci: betaInterval(rate, a + b) };
}

export const probabilityBelow = (rate: number, count: Count, prior: RatePrior): number =>
  betaCdf(rate, ...shapes(count, prior));

/** Parts of a distribution in a sum; more parts don't change the third digit. */
const PARTS = 400;

/** P(the rate of `one` > that of `other`), each with its own posterior; ½ for equal counts. */
export const probabilityAbove = (one: Count, other: Count, prior: RatePrior): number =>
  (1 + summedAbove(one, other, prior) - summedAbove(other, one, prior)) / 2;

/** The same as a sum over parts of the other's range; slightly off where one part holds most of it. */
function summedAbove(one: Count, other: Count, prior: RatePrior): number {
  const [a, b] = shapes(other, prior);
  const mean = a / (a + b);
  // The mean over equal parts of the range with the mass needs no density, unlike Simpson's rule.
  const spread = 8 * Math.sqrt((mean * (1 - mean)) / (a + b + 1));
  const [low, high] = [Math.max(0, mean - spread), Math.min(1, mean + spread)];
  let sum = 0;
  let below = betaCdf(low, a, b);
  for (let part = 0; part < PARTS; part += 1) {
    const to = low + ((high - low) * (part + 1)) / PARTS;
    const upTo = betaCdf(to, a, b);
    sum += (upTo - below) * (1 - probabilityBelow(to - (high - low) / PARTS / 2, one, prior));
    below = upTo;
  }
  return Math.min(1, sum);
}
