import type { Company, EnrichmentLimit, Person } from '../../contract/decision.ts';
import type { Result } from '../../kernel/errors.ts';
import type { ProviderFailure } from '../belief/provider.ts';
import type { EnrichmentKind } from './paths.ts';

/** Vendors that know companies and people: Hunter, People Data Labs. */
export const ENRICHMENT_VENDOR_IDS = ['hunter', 'pdl'] as const;
export type EnrichmentVendorId = (typeof ENRICHMENT_VENDOR_IDS)[number];

/** Its id among all subprocessors: some vendors sell verifications too. */
export const enrichmentId = (id: EnrichmentVendorId): string => `enrichment_${id}`;

/** A call's scope: a company by domain; a person, or both, by address. */
export type EnrichmentScope = 'company' | 'person' | 'both';

export interface EnrichmentQuestion {
  readonly wants: EnrichmentScope;
  readonly domain: string;
  /** Sent to a vendor only when a person is wanted. */
  readonly email: string;
}

/** Null where the vendor knows nothing or was not asked. */
export interface Found {
  readonly company: Company | null;
  readonly person: Person | null;
  readonly costMicros: number;
}

/** Uses the providers' vocabulary. */
export type EnrichmentFailure = Pick<ProviderFailure, 'kind' | 'costMicros'>;

/** The highest price of one call, in micros. */
export type Prices = Readonly<Record<EnrichmentScope, number>>;

/** A request asks each vendor at most once. */
export interface EnrichmentVendor {
  readonly id: EnrichmentVendorId;
  readonly prices: Prices;
  /** Asks once. Never rejects and never takes longer than `timeoutMs`. */
  ask(question: EnrichmentQuestion, timeoutMs: number): Promise<Result<Found, EnrichmentFailure>>;
}

export interface EnrichmentCall {
  readonly source: EnrichmentVendorId;
  readonly wants: EnrichmentScope;
  readonly ms: number;
  readonly costMicros: number;
  readonly result: 'found' | 'not_found' | EnrichmentFailure['kind'];
}

/** Why a source that may have a missing value was not asked. */
export type NotAsked = EnrichmentLimit | 'circuit_open' | 'budget_unreachable';

export interface EnrichmentReport {
  readonly calls: readonly EnrichmentCall[];
  readonly notAsked: readonly { readonly source: EnrichmentVendorId; readonly why: NotAsked }[];
  readonly costMicros: number;
  /** A value is missing because a vendor or the budget's object failed. */
  readonly degraded: boolean;
  /** Limits that kept a source with a missing value from being asked. */
  readonly limitedBy: readonly EnrichmentLimit[];
}

export const NO_ENRICHMENT: EnrichmentReport = {
  calls: [],
  notAsked: [],
  costMicros: 0,
  degraded: false,
  limitedBy: [],
};

export interface PlanInput {
  /** Wanted now and unknown; not empty. */
  readonly needs: ReadonlySet<EnrichmentKind>;
  /** May be wanted later; includes `needs`. */
  readonly mayNeed: ReadonlySet<EnrichmentKind>;
  /** Vendors not asked yet in this request, in order of preference. */
  readonly vendors: readonly Pick<EnrichmentVendor, 'id' | 'prices'>[];
  /** What the request's ceiling and the month's budget leave, in micros; below 0 no vendor is asked. */
  readonly leftMicros: number;
}

export interface PlannedCall {
  readonly vendor: EnrichmentVendor['id'];
  readonly wants: EnrichmentScope;
}

/**
 * The next call: the cheapest that brings all that is wanted, else the cheapest for a part; null if all cost more than
 * what is left. A vendor can be asked only once, so a call includes what may be wanted later if no other vendor would
 * be left for it.
 */
export function planCall({ needs, mayNeed, vendors, leftMicros }: PlanInput): PlannedCall | null {
  const later = [...mayNeed].filter((want) => !needs.has(want));
  const cheapest = (wants: EnrichmentScope) =>
    vendors
      .filter(({ prices }) => prices[wants] <= leftMicros)
      .reduce<PlanInput['vendors'][number] | null>(
        (best, vendor) => (best === null || vendor.prices[wants] < best.prices[wants] ? vendor : best),
        null,
      );

  for (const wants of shapesOf(needs)) {
    const vendor = cheapest(wants);
    if (vendor === null) continue;
    const [other] = later;
    const widens = other !== undefined && wants !== 'both' && takesAlong(vendor, wants, other);
    return { vendor: vendor.id, wants: widens ? 'both' : wants };
  }
  return null;

  function takesAlong(vendor: PlanInput['vendors'][number], wants: EnrichmentScope, other: EnrichmentKind): boolean {
    if (vendor.prices.both > leftMicros) return false;
    const left = leftMicros - vendor.prices[wants];
    return !vendors.some(({ id, prices }) => id !== vendor.id && prices[other] <= left);
  }
}

/** Scopes that cover the needs, fullest first. */
function shapesOf(needs: ReadonlySet<EnrichmentKind>): readonly EnrichmentScope[] {
  const parts = (['company', 'person'] as const).filter((want) => needs.has(want));
  return parts.length === 2 ? ['both', ...parts] : parts;
}
