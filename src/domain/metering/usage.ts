export const METERS = ['verify', 'check', 'screen', 'decide', 'bulk'] as const;
export type Meter = (typeof METERS)[number];

/** Money is in whole millionths of a US dollar. */
const MICROS_PER_USD = 1_000_000;
export const usd = (micros: number): number => micros / MICROS_PER_USD;
export const micros = (dollars: number): number => Math.round(dollars * MICROS_PER_USD);

/** An organisation's limits; 0 or less of a quota or allowance is unmetered. */
export interface Limits {
  readonly verificationQuota: number;
  readonly screeningAllowance: number;
  readonly enrichmentBudgetMicros: number;
  /** Null means unlimited. 0: no provider is asked. */
  readonly providerBudgetMicros: number | null;
  readonly ratePerMinute: number;
}

export const DEFAULT_LIMITS: Limits = {
  verificationQuota: 50_000,
  screeningAllowance: 10_000,
  enrichmentBudgetMicros: 25 * MICROS_PER_USD,
  providerBudgetMicros: null,
  ratePerMinute: 6_000,
};

/** Counts of one UTC calendar month. */
export interface Usage {
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly calls: Readonly<Record<Meter, number>>;
  readonly bulkJobs: number;
  readonly spendMicros: number;
  readonly enrichmentMicros: number;
  /** The providers' part of `spendMicros`, including reservations of running requests. */
  readonly providerMicros: number;
}

export const emptyUsage = (month: string): Usage => ({
  month,
  calls: { verify: 0, check: 0, screen: 0, decide: 0, bulk: 0 },
  bulkJobs: 0,
  spendMicros: 0,
  enrichmentMicros: 0,
  providerMicros: 0,
});

/** Spend with all vendors: providers, screening's model, and enrichment, including reservations of running requests. */
export const vendorSpendUsd = ({ spendMicros, enrichmentMicros }: Usage): number => usd(spendMicros + enrichmentMicros);

/** Memoised, since each request asks several times. */
let lastMonth = { month: '', fromMs: 0, toMs: 0 };

export function utcMonth(ms: number): string {
  if (!(ms >= lastMonth.fromMs && ms < lastMonth.toMs)) {
    const month = new Date(ms).toISOString().slice(0, 7);
    lastMonth = Object.assign({ month }, monthBounds(month));
  }
  return lastMonth.month;
}

/** A month `YYYY-MM` as epoch milliseconds [from, to). */
export function monthBounds(month: string): { readonly fromMs: number; readonly toMs: number } {
  const year = Number(month.slice(0, 4));
  const index = Number(month.slice(5, 7)) - 1;
  return { fromMs: Date.UTC(year, index, 1), toMs: Date.UTC(year, index + 1, 1) };
}

/** A quota as the API shows it. `remaining` is null when unmetered, and never negative. */
export interface Quota {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number | null;
  readonly unmetered: boolean;
}

const quotaOf = (limit: number, used: number): Quota =>
  limit > 0
    ? { limit, used, remaining: Math.max(0, limit - used), unmetered: false }
    : { limit, used, remaining: null, unmetered: true };

/** Verify, decide and each unique bulk address count against the verification quota. */
export const verificationsOf = ({ calls }: Usage): number => calls.verify + calls.decide + calls.bulk;

export const verificationQuota = (usage: Usage, limits: Limits): Quota =>
  quotaOf(limits.verificationQuota, verificationsOf(usage));

export const screeningQuota = (usage: Usage, limits: Limits): Quota =>
  quotaOf(limits.screeningAllowance, usage.calls.screen);

/** The quota a call of this meter is charged to; null for meters that are only counted. */
export function chargedQuota(meter: Meter, usage: Usage, limits: Limits): Quota | null {
  if (meter === 'check') return null;
  return meter === 'screen' ? screeningQuota(usage, limits) : verificationQuota(usage, limits);
}

/** The month's remaining enrichment budget in micros; -1 without a budget, when even a free vendor is not asked. */
export const enrichmentLeftMicros = (usage: Usage, { enrichmentBudgetMicros }: Limits): number =>
  enrichmentBudgetMicros <= 0 ? -1 : Math.max(0, enrichmentBudgetMicros - usage.enrichmentMicros);

/** A month's budgets, which requests reserve from before they pay. */
export type Budget = 'enrichment' | 'providers';

/** What a request spent out of its reservation. */
export interface SettledReservation {
  readonly requestId: string;
  readonly spentMicros: number;
}

/**
 * The month's remaining provider budget in micros; -1 with a budget of 0, when even a free provider is not asked. Null
 * means unlimited.
 */
export function providerLeftMicros(usage: Usage, { providerBudgetMicros }: Limits): number | null {
  if (providerBudgetMicros === null) return null;
  return providerBudgetMicros <= 0 ? -1 : Math.max(0, providerBudgetMicros - usage.providerMicros);
}

export const monthBudgets = (usage: Usage, { providerBudgetMicros, enrichmentBudgetMicros }: Limits) => ({
  providers: {
    limit_usd: providerBudgetMicros === null ? null : usd(providerBudgetMicros),
    used_usd: usd(usage.providerMicros),
  },
  enrichment: { limit_usd: usd(enrichmentBudgetMicros), used_usd: usd(usage.enrichmentMicros) },
});

/** Null means unlimited. */
export const budgetLeftMicros = (budget: Budget, usage: Usage, limits: Limits): number | null =>
  budget === 'enrichment' ? enrichmentLeftMicros(usage, limits) : providerLeftMicros(usage, limits);
