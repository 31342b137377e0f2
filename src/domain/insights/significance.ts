/** One stratum: a segment's exposures and events within everybody's. */
export interface Stratum {
  readonly exposures: number;
  readonly events: number;
  readonly allExposures: number;
  readonly allEvents: number;
}

/**
 * Lower-tail p of Mantel and Haenszel (1959), with continuity correction: how likely so few events are in the segment if in
 * each stratum it has the rate of everybody. 1 where nothing can be told.
 */
export function lowerTail(strata: readonly Stratum[]): number {
  let [excess, variance] = [0, 0];
  for (const { exposures: n, events, allExposures: all, allEvents: m } of strata) {
    if (all < 2) continue;
    excess += events - (n * m) / all;
    variance += (n * (all - n) * m * (all - m)) / (all * all * (all - 1));
  }
  return variance === 0 ? 1 : normalCdf((excess + 0.5) / Math.sqrt(variance));
}

/** Φ(z) to 7 digits (Abramowitz and Stegun 26.2.17); its tail keeps its relative digits to z = −6 or so. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const poly = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return z < 0 ? tail : 1 - tail;
}

/** Benjamini and Hochberg (1995): each p adjusted for all that were looked at, in the order given. */
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
