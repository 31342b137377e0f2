import type { Company } from '../../contract/decision.ts';
import type { EmployeesRange, Seniority } from '../../contract/policy.ts';
import { EMPLOYEES_RANGES, SENIORITIES } from '../../domain/policy/paths.ts';

/** The upper end of each range but the last, which is open. */
const RANGE_TOPS = [10, 50, 200, 500, 1_000, 5_000, 10_000];

/** Vendors' ranges that differ from ours, as the range of ours with most of their companies. */
const RANGE_BY_WORD: ReadonlyMap<string, EmployeesRange> = new Map([
  // Hunter's Clearbit-compatible words. Small companies are more common, so a range that spans two counts as the lower.
  ['51-250', '51-200'],
  ['251-1K', '201-500'],
  ['1K-5K', '1001-5000'],
  ['5K-10K', '5001-10000'],
  ['10K-50K', '10001+'],
  ['50K-100K', '10001+'],
  ['100K+', '10001+'],
]);

/** The range of a head count or of a vendor's word; null when the text is neither. */
export function employeesRange(size: string | number | null): EmployeesRange | null {
  if (size === null) return null;
  if (typeof size === 'number') {
    if (!(size >= 1)) return null;
    // Above every top the index is -1, which means the last range.
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
  // Ranks above a director, and owners, who sign for the company.
  ...(['vp', 'cxo', 'partner', 'owner'] as const).map((level) => [level, 'executive'] as const),
]);

/** The highest rank among a vendor's words; null when all are unknown. */
export function seniority(words: readonly (string | null)[]): Seniority | null {
  const ranks = words.map((word) => SENIORITY_BY_WORD.get(word?.trim().toLowerCase() ?? ''));
  return SENIORITIES.findLast((rank) => ranks.includes(rank)) ?? null;
}

/** The company, or null where the vendor knows only the domain that was asked about. */
export const knownCompany = (company: Company): Company | null =>
  company.name === null && company.industry === null && company.employees_range === null && company.country === null
    ? null
    : company;

/** Whether a domain is the company's own or below it. */
export const isOfDomain = (domain: string, companyDomain: string): boolean =>
  domain === companyDomain || domain.endsWith(`.${companyDomain}`);
