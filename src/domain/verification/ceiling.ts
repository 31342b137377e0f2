import { micros, usd } from '../metering/usage.ts';

/** A call to a provider made for this request. */
export interface Call {
  /** The price of one billed answer, in micros. */
  readonly priceMicros: number;
  /** What it has cost; null while it is out, and for good once it is given up: it may be billed in full. */
  readonly costMicros: number | null;
}

/**
 * What a ceiling leaves for further calls, in micros: nothing that may yet be billed can carry the sum over it. Below 0 when
 * the ceiling is 0, which means that no provider is asked, not even a free one.
 */
export function costLeft(maxCostUsd: number, calls: readonly Call[]): number {
  if (maxCostUsd === 0) return -1;
  const nearest = Math.min(micros(maxCostUsd), Number.MAX_SAFE_INTEGER);
  // Rounding may have gone up, by half a micro.
  const ceiling = usd(nearest) > maxCostUsd ? nearest - 1 : nearest;
  return ceiling - calls.reduce((owed, { priceMicros, costMicros }) => owed + (costMicros ?? priceMicros), 0);
}
