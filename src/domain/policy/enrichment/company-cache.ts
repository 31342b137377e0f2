import * as z from 'zod';
import type { Company } from '../../../contract/decision.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../../../kernel/clock.ts';
import type { FactStore } from '../../dns/facts.ts';
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

/** What is kept of a domain's company; undefined when nothing is. KV is a cache: out of reach or of another shape is a miss. */
export async function readCompany(kv: FactStore, domain: string, now: number): Promise<Company | null | undefined> {
  try {
    const stored = await kv.get(keyOf(domain));
    if (stored === null) return undefined;
    const { expires_at, company } = Stored.parse(JSON.parse(stored));
    return expires_at > now ? company : undefined;
  } catch {
    return undefined;
  }
}

/** Never rejects: losing it costs money, never truth. */
export async function writeCompany(kv: FactStore, domain: string, company: Company | null, now: Clock): Promise<void> {
  const lifetimeMs = LIFETIME_MS[company === null ? 'unknown' : 'known'];
  try {
    const value = JSON.stringify({ expires_at: now() + lifetimeMs, company });
    await kv.put(keyOf(domain), value, { expirationTtl: lifetimeMs / SECOND_MS });
  } catch {
    // The next request asks again.
  }
}
