import type { BulkEstimate } from '../../contract/bulk.ts';
import { usd } from '../metering/usage.ts';
import type { HighestCost } from '../policy/evaluate.ts';
import type { CachedSample } from './job-record.ts';

/** How many addresses are looked up to estimate how many have evidence. */
const SAMPLE_ADDRESSES = 2_000;

/** Spreads the sample evenly, because addresses of one domain stand together. The same numbers each time. */
export function sampledNumbers(unique: number, most = SAMPLE_ADDRESSES): number[] {
  const size = Math.min(unique, most);
  return Array.from({ length: size }, (_, i) => Math.floor((i * unique) / size));
}

export interface EstimateInput {
  /** Addresses that are still to be metered. */
  readonly unique: number;
  /** Addresses already metered; the sample covers these too. */
  readonly begun: number;
  /** Rows that will be `skipped`. */
  readonly skipped: number;
  /** Verifications left this month; null when unmetered. */
  readonly quotaLeft: number | null;
  readonly sample: Pick<CachedSample, 'addresses' | 'cached' | 'settled' | 'expectedMicros'>;
  /** The price of one answer of each provider that is on. */
  readonly priceMicros: readonly number[];
  /** The cost ceiling of one address. */
  readonly ceilingMicros: number;
  /** For a job with a policy: the highest cost of one decision, and what the month's enrichment budget still allows. */
  readonly decision: (HighestCost & { readonly budgetLeftMicros: number }) | null;
  /** What is left of the month's provider budget; null means unlimited. */
  readonly providerLeftMicros: number | null;
}

/**
 * What a job will take. The highest cost holds whatever the cache has: each address may be asked about. With a policy the
 * expected cost assumes that every address reaches the rules that ask.
 */
export function estimate(input: EstimateInput): BulkEstimate {
  const { unique, begun, skipped, quotaLeft, sample, priceMicros, ceilingMicros } = input;
  const { providerLeftMicros } = input;
  const providersMost = (micros: number): number => Math.min(micros, Math.max(0, providerLeftMicros ?? micros));
  const scaled = (count: number): number =>
    sample.addresses === 0 ? 0 : Math.round((unique * count) / sample.addresses);
  const cached = scaled(sample.cached);
  const toVerify = unique - cached;
  const { enrichmentMicros = 0, screeningMicros = 0, budgetLeftMicros = 0 } = input.decision ?? {};
  const verifiedMicros = Math.min(
    ceilingMicros,
    priceMicros.reduce((sum, price) => sum + price, 0),
  );
  const enrichedMicros = Math.min(unique * Math.min(enrichmentMicros, ceilingMicros), Math.max(0, budgetLeftMicros));
  // One ceiling bounds everything that is asked about an address.
  const highestMicros = Math.min(
    unique * ceilingMicros,
    providersMost(unique * verifiedMicros) + unique * screeningMicros + enrichedMicros,
  );
  const notAsked = notAskedOf(input, scaled);
  const asked = unique - Object.values(notAsked).reduce((sum, count) => sum + count, 0);
  const expectedSumMicros =
    providersMost(Math.round(asked * Math.min(sample.expectedMicros, verifiedMicros))) +
    unique * screeningMicros +
    enrichedMicros;
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
    provider_budget_remaining_usd: providerLeftMicros === null ? null : usd(Math.max(0, providerLeftMicros)),
    not_asked: notAsked,
  };
}

/** Addresses that no provider will be asked about, by why; an address is counted once. */
function notAskedOf(
  { unique, sample, priceMicros, providerLeftMicros }: EstimateInput,
  scaled: (count: number) => number,
): BulkEstimate['not_asked'] {
  const none = { terminal: 0, rule: 0, recent: 0, catch_all: 0, budget: 0, no_provider: 0 };
  if (priceMicros.length === 0) return { ...none, no_provider: unique };
  const { terminal, rule, recent, catch_all } = sample.settled;
  const settled = {
    terminal: scaled(terminal),
    rule: scaled(rule),
    recent: scaled(recent),
    catch_all: scaled(catch_all),
  };
  const rest = Math.max(0, unique - settled.terminal - settled.rule - settled.recent - settled.catch_all);
  const each = Math.max(sample.expectedMicros, Math.min(...priceMicros));
  const paid = providerLeftMicros === null || each === 0 ? rest : Math.floor(Math.max(0, providerLeftMicros) / each);
  return { ...none, ...settled, budget: Math.max(0, rest - paid) };
}
