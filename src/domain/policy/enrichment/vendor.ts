import type { Company, Person } from '../../../contract/decision.ts';
import type { Result } from '../../../kernel/errors.ts';
import type { ProviderFailure } from '../../belief/provider.ts';

/** The vendors that know companies and people: Hunter, People Data Labs. */
export const ENRICHMENT_VENDOR_IDS = ['hunter', 'pdl'] as const;
export type EnrichmentVendorId = (typeof ENRICHMENT_VENDOR_IDS)[number];

/** What one call asks for: a company by domain; a person, or both, by address. */
export type EnrichmentScope = 'company' | 'person' | 'both';

export interface EnrichmentQuestion {
  readonly wants: EnrichmentScope;
  readonly domain: string;
  /** Sent to a vendor only when a person is wanted. */
  readonly email: string;
}

/** What a vendor knows; null where it knows nothing or was not asked for it. */
export interface Found {
  readonly company: Company | null;
  readonly person: Person | null;
  /** What the vendor bills for the call, in micros. */
  readonly costMicros: number;
}

/** Why a call failed, in the words used for providers. */
export type EnrichmentFailure = Pick<ProviderFailure, 'kind' | 'costMicros'>;

/** The most that the vendor bills for one call, in micros. */
export type Prices = Readonly<Record<EnrichmentScope, number>>;

/** One vendor, ready to be asked; a request asks each at most once. */
export interface EnrichmentVendor {
  readonly id: EnrichmentVendorId;
  readonly prices: Prices;
  /** Asks once. Never rejects and never takes longer than `timeoutMs`. */
  ask(question: EnrichmentQuestion, timeoutMs: number): Promise<Result<Found, EnrichmentFailure>>;
}
