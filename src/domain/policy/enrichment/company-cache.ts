import * as z from 'zod';
import type { Company } from '../../../contract/decision.ts';
import { type Clock, DAY_MS } from '../../../kernel/clock.ts';
import { type FactStore, readFact, writeFact } from '../../dns/fact-store.ts';
import { EMPLOYEES_RANGES } from '../values.ts';

/** A company changes slowly; one that a vendor does not know may be in its next release. */
const LIFETIME_MS = { known: 30 * DAY_MS, unknown: 7 * DAY_MS } as const;

/** Facts about a company, shared by all organisations. People are not kept: who works where is theirs. */
const Stored = z.object({
  expires_at: z.number(),
  company: z
    .object({
      name: z.string().nullable(),
      domain: z.string().nullable(),
      industry: z.string().nullable(),
      employees_range: z.enum(EMPLOYEES_RANGES).nullable(),
      country: z.string().nullable(),
    })
    .nullable(),
});

/** The version in the key changes with the shape of the value. */
const keyOf = (domain: string): string => `company:v1:${domain}`;

/** What is kept of a domain's company; undefined when nothing is. A value of another shape is a miss. */
export async function readCompany(kv: FactStore, domain: string, now: number): Promise<Company | null | undefined> {
  const stored = await readFact(kv, keyOf(domain));
  try {
    if (stored === null) return undefined;
    const { expires_at, company } = Stored.parse(JSON.parse(stored));
    return expires_at > now ? company : undefined;
  } catch {
    return undefined;
  }
}

export function writeCompany(kv: FactStore, domain: string, company: Company | null, now: Clock): Promise<void> {
  const lifetimeMs = LIFETIME_MS[company === null ? 'unknown' : 'known'];
  return writeFact(kv, keyOf(domain), { expires_at: now() + lifetimeMs, company }, lifetimeMs);
}
