import type { AlertsResponse, Usage } from '../api/schema.ts';
import { formatCount, formatDollars } from './format.ts';

export interface Allowance {
  readonly of: AlertsResponse['alerts'][number]['of'];
  readonly name: string;
  readonly used: number;
  /** Null for unlimited. A budget of 0 allows nothing. */
  readonly limit: number | null;
  readonly format: (amount: number) => string;
}

/** Monthly allowances: counts, then budgets in dollars. */
export const allowancesOf = ({ quota, screening, budgets, calls }: Usage): readonly Allowance[] => [
  {
    of: 'verifications',
    name: 'Verifications',
    used: quota.used,
    limit: quota.unmetered ? null : quota.limit,
    format: formatCount,
  },
  {
    of: 'screenings',
    name: 'Screenings',
    used: screening.used ?? calls.screen,
    limit: screening.unmetered ? null : screening.quota,
    format: formatCount,
  },
  ...(['providers', 'enrichment'] as const).map((of) => ({
    of,
    name: of === 'providers' ? 'Provider spend' : 'Enrichment spend',
    used: budgets[of].used_usd,
    limit: budgets[of].limit_usd,
    format: formatDollars,
  })),
];
