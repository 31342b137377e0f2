import * as z from 'zod';
import { DAY_MS, SECOND_MS } from '../../../kernel/clock.ts';
import { LATE, within } from '../../../kernel/deadline.ts';
import type { FactStore } from '../../dns/facts.ts';
import { DOMAIN_LABELS, type DomainLabel } from './questions.ts';

const LIFETIME_MS = 30 * DAY_MS;

/** KV answers in tens of milliseconds; waiting longer costs more than the request it saves. */
const READ_MAX_MS = 300;

/** The version in the key changes with the shape of the value and the meaning of the labels. */
const kvKey = (domain: string): string => `domain-check:v1:${domain}`;

const StoredLabel = z.object({ label: z.enum(DOMAIN_LABELS) });

/** KV is a cache: what is absent, late, unreachable or of another shape is a miss. */
export async function readDomainLabel(kv: FactStore, domain: string): Promise<DomainLabel | null> {
  try {
    const stored = await within(kv.get(kvKey(domain)), READ_MAX_MS);
    return stored === null || stored === LATE ? null : StoredLabel.parse(JSON.parse(stored)).label;
  } catch {
    return null;
  }
}

/** Never rejects: what is not kept is asked again. */
export async function writeDomainLabel(kv: FactStore, domain: string, label: DomainLabel): Promise<void> {
  try {
    await kv.put(kvKey(domain), JSON.stringify({ label }), { expirationTtl: LIFETIME_MS / SECOND_MS });
  } catch {
    // The answer stands.
  }
}
