import type { Company } from '../../contract/decision.ts';
import type { EmployeesRange, Seniority } from '../../contract/policy.ts';
import { EMPLOYEES_RANGES, SENIORITIES } from '../../domain/policy/values.ts';

/** The most of each range; the last has none. */
const RANGE_TOPS = [10, 50, 200, 500, 1_000, 5_000, 10_000];

/** Vendors' ranges that are none of ours, as the one of ours most of their companies are in. */
const RANGE_BY_WORD: ReadonlyMap<string, EmployeesRange> = new Map([
  // Hunter's Clearbit-compatible words. Companies thin out with size, so a range that spans two goes with the lower.
  ['51-250', '51-200'],
  ['251-1K', '201-500'],
  ['1K-5K', '1001-5000'],
  ['5K-10K', '5001-10000'],
  ['10K-50K', '10001+'],
  ['50K-100K', '10001+'],
  ['100K+', '10001+'],
]);

/** Of a head count or a vendor's word for a range; null when it is neither. */
export function employeesRange(size: string | number | null): EmployeesRange | null {
  if (size === null) return null;
  if (typeof size === 'number') {
    if (!(size >= 1)) return null;
    // Above every top the index is -1: the last range.
    return EMPLOYEES_RANGES.at(RANGE_TOPS.findIndex((top) => size <= top)) ?? null;
  }
  const word = size.trim();
  return EMPLOYEES_RANGES.find((range) => range === word) ?? RANGE_BY_WORD.get(word) ?? null;
}

const SENIORITY_BY_WORD: ReadonlyMap<string, Seniority> = new Map([
  // Hunter, and its Clearbit-compatible words: ours.
  ...SENIORITIES.map((rank) => [rank, rank] as const),
  // People Data Labs' job title levels.
  ...(['unpaid', 'training', 'entry'] as const).map((level) => [level, 'junior'] as const),
  // Above a director, and who owns the house signs for it.
  ...(['vp', 'cxo', 'partner', 'owner'] as const).map((level) => [level, 'executive'] as const),
]);

/** The highest of a vendor's words; null when we know none of them. */
export function seniority(words: readonly (string | null)[]): Seniority | null {
  const ranks = words.map((word) => SENIORITY_BY_WORD.get(word?.trim().toLowerCase() ?? ''));
  return SENIORITIES.findLast((rank) => ranks.includes(rank)) ?? null;
}

/** Null where only the domain asked about is known: that is not a company. */
export const knownCompany = (company: Company): Company | null =>
  company.name === null && company.industry === null && company.employees_range === null && company.country === null
    ? null
    : company;

/** Whether a domain is a company's own one, or below it. */
export const isOfDomain = (domain: string, companyDomain: string): boolean =>
  domain === companyDomain || domain.endsWith(`.${companyDomain}`);
