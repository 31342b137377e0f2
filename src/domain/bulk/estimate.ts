import type { BulkEstimate } from '../../contract/bulk.ts';
import { usd } from '../metering/usage.ts';
import type { HighestCost } from '../policy/highest-cost.ts';

/** Addresses whose evidence is looked up to tell how many are cached. */
const SAMPLE_ADDRESSES = 2_000;

/** Spread evenly over the file, since those of one domain stand together; the same each time. */
export function sampledNumbers(unique: number, most = SAMPLE_ADDRESSES): number[] {
  const size = Math.min(unique, most);
  return Array.from({ length: size }, (_, i) => Math.floor((i * unique) / size));
}

export interface EstimateInput {
  /** Addresses that are still to be metered. */
  readonly unique: number;
  /** Addresses that are metered already; the sample is of these as well. */
  readonly begun: number;
  /** Rows that will be `skipped`. */
  readonly skipped: number;
  /** Verifications left this month; null when unmetered. */
  readonly quotaLeft: number | null;
  readonly sample: { readonly addresses: number; readonly cached: number };
  /** Of one answer of each provider that is on. */
  readonly priceMicros: readonly number[];
  /** The cost ceiling of one address. */
  readonly ceilingMicros: number;
  /** What an address without fresh evidence costs on average. */
  readonly expectedMicros: number;
  /** With a policy: what deciding about one address costs at most, and what the month's enrichment budget still allows. */
  readonly decision: (HighestCost & { readonly budgetLeftMicros: number }) | null;
}

/**
 * What a job will take. The highest cost holds whatever the cache turns out to be: each address may be asked about. With a
 * policy the expected one is that of every address coming to the rules that ask.
 */
export function estimate(input: EstimateInput): BulkEstimate {
  const { unique, begun, skipped, quotaLeft, sample, priceMicros, ceilingMicros, expectedMicros } = input;
  const share = sample.addresses === 0 ? 0 : sample.cached / sample.addresses;
  const cached = Math.round(unique * share);
  const toVerify = unique - cached;
  const { enrichmentMicros = 0, screeningMicros = 0, budgetLeftMicros = 0 } = input.decision ?? {};
  const verifiedMicros = Math.min(
    ceilingMicros,
    priceMicros.reduce((sum, price) => sum + price, 0),
  );
  const enrichedMicros = Math.min(unique * Math.min(enrichmentMicros, ceilingMicros), Math.max(0, budgetLeftMicros));
  // One ceiling bounds all that is asked about an address.
  const highestMicros = Math.min(unique * ceilingMicros, unique * (verifiedMicros + screeningMicros) + enrichedMicros);
  const expectedSumMicros =
    Math.round(toVerify * Math.min(expectedMicros, verifiedMicros)) + unique * screeningMicros + enrichedMicros;
  return {
    rows_unique: unique,
    verifications: unique,
    skipped,
    cached,
    cached_estimated: unique > 0 && (begun > 0 || sample.addresses < unique),
    to_verify: toVerify,
    quota_remaining: quotaLeft,
    fits: quotaLeft === null || unique <= quotaLeft,
    max_cost_usd: usd(highestMicros),
    expected_cost_usd: usd(Math.min(expectedSumMicros, highestMicros)),
    enrichment_max_cost_usd: usd(enrichedMicros),
  };
}
