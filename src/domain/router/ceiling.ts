import { micros, usd } from '../metering/usage.ts';

/** A call to a provider made for this request. */
export interface Call {
  /** The price of one billed answer, in micros. */
  readonly priceMicros: number;
  /** What it has cost. Null while the call runs, and for good once it is given up: it may be billed in full. */
  readonly costMicros: number | null;
}

/**
 * What a ceiling leaves for further calls, in micros, after everything that may still be billed. Below 0 when the ceiling
 * is 0: then even a free provider is not asked.
 */
export function costLeft(maxCostUsd: number, calls: readonly Call[]): number {
  if (maxCostUsd === 0) return -1;
  const nearest = Math.min(micros(maxCostUsd), Number.MAX_SAFE_INTEGER);
  // Rounding may have raised it by half a micro.
  const ceiling = usd(nearest) > maxCostUsd ? nearest - 1 : nearest;
  return ceiling - calls.reduce((owed, { priceMicros, costMicros }) => owed + (costMicros ?? priceMicros), 0);
}
