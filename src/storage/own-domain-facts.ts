import * as z from 'zod';
import { Company } from '../contract/decision.ts';
import { ENRICHMENT_VENDOR_IDS, type EnrichmentVendorId } from '../domain/policy/enrichment.ts';
import { DOMAIN_LABELS, type DomainLabel } from '../domain/screening/model.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type FactStore, readFact, writeFact } from './kv.ts';

/** Each organisation has its own entries: a free answer would show that another organisation asked about the domain. */
export interface OwnDomain {
  readonly organisationId: Id<'org'>;
  readonly domain: string;
}

/** The versions change with the shape of the value, and the meaning of the labels. */
const companyKey = ({ organisationId, domain }: OwnDomain): string => `company:v1:${organisationId}:${domain}`;
const labelKey = ({ organisationId, domain }: OwnDomain): string => `domain-check:v1:${organisationId}:${domain}`;

/** A company changes slowly. What a vendor does not know may be in its next release, so gaps are kept for less time. */
const WHOLE_MS = 30 * DAY_MS;
const PART_MS = 7 * DAY_MS;
const UNKNOWN_MS = 7 * DAY_MS;
const LABEL_MS = 30 * DAY_MS;

const time = z.number();

/** What is kept of a domain's company. People are not kept: where they work is personal data. */
const KeptCompany = z.object({
  known: z.object({ expires_at: time, company: Company }).nullable(),
  /** Until when each vendor that was asked by domain counts as not knowing the company. */
  unknown_to: z.partialRecord(z.enum(ENRICHMENT_VENDOR_IDS), time),
});
export type KeptCompany = z.infer<typeof KeptCompany>;

export const NOTHING_KEPT: KeptCompany = { known: null, unknown_to: {} };

const StoredLabel = z.object({ label: z.enum(DOMAIN_LABELS) });

/** What is kept and has not expired. Never rejects. */
export async function readCompany(kv: FactStore, of: OwnDomain, now: number): Promise<KeptCompany> {
  const { known, unknown_to, ...rest } = (await readFact(kv, companyKey(of), KeptCompany)) ?? NOTHING_KEPT;
  return {
    ...rest,
    known: known !== null && known.expires_at > now ? known : null,
    unknown_to: Object.fromEntries(Object.entries(unknown_to).filter(([, until]) => until > now)),
  };
}

/**
 * Adds new facts to the stored ones. One of two concurrent writes may be lost and is learnt again later. Never rejects.
 */
export function keepCompany(
  kv: FactStore,
  of: OwnDomain,
  kept: KeptCompany,
  learnt: { readonly company: Company | null; readonly unknownTo: readonly EnrichmentVendorId[] },
  now: number,
): Promise<void> {
  const { company, unknownTo } = learnt;
  const value: Required<KeptCompany> = {
    known: company === null ? kept.known : { expires_at: now + lifetimeMs(company), company },
    unknown_to: { ...kept.unknown_to, ...Object.fromEntries(unknownTo.map((id) => [id, now + UNKNOWN_MS])) },
  };
  const until = Math.max(value.known?.expires_at ?? 0, ...Object.values(value.unknown_to));
  return writeFact(kv, companyKey(of), value, until - now);
}

const lifetimeMs = ({ industry, employees_range, country }: Company): number =>
  [industry, employees_range, country].includes(null) ? PART_MS : WHOLE_MS;

/** Never rejects. */
export const readDomainLabel = async (kv: FactStore, of: OwnDomain): Promise<DomainLabel | null> =>
  (await readFact(kv, labelKey(of), StoredLabel))?.label ?? null;

/** Never rejects. */
export const writeDomainLabel = (kv: FactStore, of: OwnDomain, label: DomainLabel): Promise<void> =>
  writeFact(kv, labelKey(of), { label }, LABEL_MS);

export const forgetOwnFacts = (kv: { delete(key: string): Promise<void> }, of: OwnDomain): Promise<unknown> =>
  Promise.all([kv.delete(companyKey(of)), kv.delete(labelKey(of))]);
