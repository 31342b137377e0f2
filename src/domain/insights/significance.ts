/** One stratum: a segment's exposures and events within everybody's. */
export interface Stratum {
  readonly exposures: number;
  readonly events: number;
  readonly allExposures: number;
  readonly allEvents: number;
}

/**
 * Lower-tail p of Mantel and Haenszel (1959), with continuity correction: how likely so few events are in the segment if
 * it has everybody's rate in each stratum; 1 without information. It corrects for the events' skewness: a normal tail is
 * far too heavy where events are rare, which hides effects, and too light where they are frequent.
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

/** The normal's z of a gamma's (Wilson and Hilferty 1931): lighter below than a normal where the skewness is above 0. */
function unskewed(z: number, skewness: number): number {
  if (Math.abs(skewness) < SKEWNESS_MIN) return z;
  const above = (z * skewness) / 2 + 1;
  return above <= 0 ? Number.NEGATIVE_INFINITY : (6 / skewness) * (Math.cbrt(above) - 1) + skewness / 6;
}

/** Φ(z) to 7 digits (Abramowitz and Stegun 26.2.17); its tail keeps its relative digits to z = −6 or so. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return z < 0 ? tail : 1 - tail;
}

/** Benjamini and Hochberg (1995): each p adjusted for the number of tests, in the order given. */
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
