import * as z from 'zod';
import type { Company } from '../../contract/decision.ts';
import type { EmployeesRange, Seniority } from '../../contract/policy.ts';
import { parseDomain } from '../../domain/address/parse.ts';
import type {
  EnrichmentFailure,
  EnrichmentQuestion,
  EnrichmentVendorId,
  Found,
  Prices,
} from '../../domain/policy/enrichment.ts';
import { EMPLOYEES_RANGES, SENIORITIES } from '../../contract/words.ts';

export type FailureKind = EnrichmentFailure['kind'];

/** One vendor's documented API. The exchange is the same for all: `vendors.ts`. */
export interface EnrichmentAdapter {
  readonly id: EnrichmentVendorId;
  /** Scheme and host, which a base URL replaces. */
  readonly origin: string;
  readonly prices: Prices;
  request(
    question: EnrichmentQuestion,
    apiKey: string,
  ): {
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string>>;
  };
  /** Statuses with another meaning at this vendor than at others. */
  readonly statusOverrides: Readonly<Record<number, FailureKind>>;
  /** Reads a reply of status 200; null if it does not have the documented shape. */
  read(reply: unknown, question: EnrichmentQuestion): Omit<Found, 'costMicros'> | null;
}

/** The upper end of each range but the last, which is open. */
const RANGE_TOPS = [10, 50, 200, 500, 1_000, 5_000, 10_000];

/** Vendors' ranges that differ from ours, mapped to the range with most of their companies. */
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

/** The range of a head count or a vendor's word, or null. */
export function employeesRange(size: string | number | null): EmployeesRange | null {
  if (size === null) return null;
  if (typeof size === 'number') {
    if (!(size >= 1)) return null;
    // Above every top the index is -1, which is the last range.
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

/** The highest known rank among a vendor's words, or null. */
export function seniority(words: readonly (string | null)[]): Seniority | null {
  const ranks = words.map((word) => SENIORITY_BY_WORD.get(word?.trim().toLowerCase() ?? ''));
  return SENIORITIES.findLast((rank) => ranks.includes(rank)) ?? null;
}

/** The company, or null if the vendor knows only the requested domain. */
export const knownCompany = (company: Company): Company | null =>
  company.name === null && company.industry === null && company.employees_range === null && company.country === null
    ? null
    : company;

/** Whether a domain is the company's own or below it. */
export const isOfDomain = (domain: string, companyDomain: string): boolean =>
  domain === companyDomain || domain.endsWith(`.${companyDomain}`);

/**
 * The shapes of replies. A field that is missing or of another type is null, so that a vendor's small change costs one
 * value and not the answer. Texts are shown and stored: they are cut to the length of a name, without control
 * characters, and dropped if they contain an `@`, since they may be an address.
 */

const TEXT_MAX = 200;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\s]+/gu;

export const text = z
  .string()
  .transform((value) => {
    const plain = value.slice(0, TEXT_MAX).replace(UNPRINTABLE, ' ').trim();
    return plain === '' || plain.normalize('NFKC').includes('@') ? null : plain;
  })
  .nullable()
  .catch(null);
export const domainName = z
  .string()
  .transform((value) => {
    const read = parseDomain(value.trim());
    return read.ok ? read.domain : null;
  })
  .nullable()
  .catch(null);
export const count = z.number().nullable().catch(null);
export const texts = z.array(text).catch([]);
