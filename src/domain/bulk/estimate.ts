import type { BulkEstimate } from '../../contract/bulk.ts';
import { usd } from '../metering/usage.ts';
import type { HighestCost } from '../policy/evaluate.ts';
import type { CachedSample } from './job-record.ts';

const SAMPLE_ADDRESSES = 2_000;

/** An even, deterministic sample: addresses of one domain are adjacent. */
export function sampledNumbers(unique: number, most = SAMPLE_ADDRESSES): number[] {
  const size = Math.min(unique, most);
  return Array.from({ length: size }, (_, i) => Math.floor((i * unique) / size));
}

export interface EstimateInput {
  /** Addresses not metered yet. */
  readonly unique: number;
  /** Metered addresses, which the sample covers too. */
  readonly begun: number;
  readonly skipped: number;
  /** Null means unmetered. */
  readonly quotaLeft: number | null;
  readonly sample: Pick<CachedSample, 'addresses' | 'cached' | 'settled' | 'expectedMicros'>;
  /** The price of one answer from each enabled provider. */
  readonly priceMicros: readonly number[];
  readonly ceilingMicros: number;
  /** With a policy: the highest cost of one decision, and the month's remaining enrichment budget. */
  readonly decision: (HighestCost & { readonly budgetLeftMicros: number }) | null;
  /** The month's remaining provider budget; null means unlimited. */
  readonly providerLeftMicros: number | null;
}

/**
 * A job's expected use. The highest cost assumes that each address is asked about. With a policy the expected cost
 * assumes that every address reaches the rules that ask.
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

/** Addresses that no provider is asked about, each with one reason. */
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
