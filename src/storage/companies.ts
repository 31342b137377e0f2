import * as z from 'zod';
import type { Company } from '../contract/decision.ts';
import { ENRICHMENT_VENDOR_IDS, type EnrichmentVendorId } from '../domain/policy/enrichment/vendor.ts';
import { EMPLOYEES_RANGES } from '../domain/policy/values.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type FactStore, readFact, writeFact } from './kv.ts';

/** A company changes slowly. What a vendor does not know may be in its next release, so gaps are kept for less time. */
const WHOLE_MS = 30 * DAY_MS;
const PART_MS = 7 * DAY_MS;
const UNKNOWN_MS = 7 * DAY_MS;

const time = z.number();

/** Facts about a company. People are not kept: where they work is personal data. */
const Stored = z.object({
  known: z
    .object({
      expires_at: time,
      company: z.object({
        name: z.string().nullable(),
        domain: z.string().nullable(),
        industry: z.string().nullable(),
        employees_range: z.enum(EMPLOYEES_RANGES).nullable(),
        country: z.string().nullable(),
      }),
    })
    .nullable(),
  /** Until when each vendor counts as not knowing the company. */
  unknown_to: z.partialRecord(z.enum(ENRICHMENT_VENDOR_IDS), time),
});
type Stored = z.infer<typeof Stored>;

/** What is kept of a domain's company. */
export interface KeptCompany {
  /** Null: the company is not stored. */
  readonly company: Company | null;
  /** Vendors that were asked by domain and did not know the company. */
  readonly unknownTo: ReadonlySet<EnrichmentVendorId>;
  /** The stored value as it was read. */
  readonly stored: Stored;
}

const NOTHING_STORED: Stored = { known: null, unknown_to: {} };
export const NOTHING_KEPT: KeptCompany = { company: null, unknownTo: new Set(), stored: NOTHING_STORED };

/** Each organisation has its own entry: a free answer would show that another organisation asked about the domain. */
export interface CompanyKey {
  readonly organisationId: Id<'org'>;
  readonly domain: string;
}

/** The version in the key changes with the shape of the value. */
const kvKey = ({ organisationId, domain }: CompanyKey): string => `company:v3:${organisationId}:${domain}`;

/** A value of another shape is a miss. Never rejects. */
export async function readCompany(kv: FactStore, key: CompanyKey, now: number): Promise<KeptCompany> {
  const stored = parse(await readFact(kv, kvKey(key)));
  const { known, unknown_to } = stored;
  return {
    stored,
    company: known !== null && known.expires_at > now ? known.company : null,
    unknownTo: new Set(ENRICHMENT_VENDOR_IDS.filter((id) => (unknown_to[id] ?? 0) > now)),
  };
}

/**
 * Adds new facts to the stored ones. One of two concurrent writes may be lost and is learnt again later. Never rejects.
 */
export function keepCompany(
  kv: FactStore,
  key: CompanyKey,
  kept: Stored,
  learnt: { readonly company: Company | null; readonly unknownTo: readonly EnrichmentVendorId[] },
  now: number,
): Promise<void> {
  const { company, unknownTo } = learnt;
  const value: Stored = {
    known: company === null ? kept.known : { expires_at: now + lifetimeMs(company), company },
    unknown_to: { ...kept.unknown_to, ...Object.fromEntries(unknownTo.map((id) => [id, now + UNKNOWN_MS])) },
  };
  const until = Math.max(value.known?.expires_at ?? 0, ...Object.values(value.unknown_to));
  return writeFact(kv, kvKey(key), value, until - now);
}

export const forgetCompany = (kv: { delete(key: string): Promise<void> }, key: CompanyKey): Promise<void> =>
  kv.delete(kvKey(key));

const lifetimeMs = ({ industry, employees_range, country }: Company): number =>
  [industry, employees_range, country].includes(null) ? PART_MS : WHOLE_MS;

function parse(text: string | null): Stored {
  try {
    if (text !== null) return Stored.parse(JSON.parse(text));
  } catch {
    // A miss.
  }
  return NOTHING_STORED;
}
