import type { Usage } from '../../api/schema.ts';
import { formatCount, formatDollars } from '../../lib/format.ts';

export interface Allowance {
  readonly name: string;
  readonly used: number;
  /** Null means unlimited. */
  readonly limit: number | null;
  readonly format: (amount: number) => string;
  /** What follows once all is used. */
  readonly spent: string;
}

/** What a month has of each: a count or dollars. Only a budget may be of nothing: a count of 0 is unlimited. */
export const allowancesOf = ({ quota, screening, budgets, calls }: Usage): readonly Allowance[] => [
  {
    name: 'Verifications this month',
    used: quota.used,
    limit: quota.unmetered ? null : quota.limit,
    format: formatCount,
    spent: 'Calls are refused (402) until the month ends.',
  },
  {
    name: 'Screenings this month',
    used: screening.used ?? calls.screen,
    limit: screening.unmetered ? null : screening.quota,
    format: formatCount,
    spent: 'Screenings are refused (402) until the month ends.',
  },
  {
    name: 'Paid to providers',
    used: budgets.providers.used_usd,
    limit: budgets.providers.limit_usd,
    format: formatDollars,
    spent: 'No provider is asked until the month ends.',
  },
];

/**
 * How much of a limit is used. A budget of zero is a choice and never used up: an account that a person makes has no provider
 * budget.
 */
export const usedShare = (used: number, limit: number): number => (limit <= 0 ? 0 : Math.min(1, used / limit));

/** Percent, from which on an allowance needs a look: the first mail goes out. */
const NEARLY = 80;

/** By the share as it is shown, in whole percent. */
export const isNearlyUsed = (share: number): boolean => Math.round(share * 100) >= NEARLY;
