import * as z from 'zod';
import { DOMAIN_LABELS, type DomainLabel } from '../domain/screening/model/questions.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { type FactStore, readFact, writeFact } from './kv.ts';

const LIFETIME_MS = 30 * DAY_MS;

/** The version in the key changes with the shape of the value and the meaning of the labels. */
const kvKey = (domain: string): string => `domain-check:v1:${domain}`;

const StoredLabel = z.object({ label: z.enum(DOMAIN_LABELS) });

/** A value of another shape is a miss, like an absent one. */
export async function readDomainLabel(kv: FactStore, domain: string): Promise<DomainLabel | null> {
  const stored = await readFact(kv, kvKey(domain));
  try {
    return stored === null ? null : StoredLabel.parse(JSON.parse(stored)).label;
  } catch {
    return null;
  }
}

export const writeDomainLabel = (kv: FactStore, domain: string, label: DomainLabel): Promise<void> =>
  writeFact(kv, kvKey(domain), { label }, LIFETIME_MS);

export const forgetDomainLabel = (kv: { delete(key: string): Promise<void> }, domain: string): Promise<void> =>
  kv.delete(kvKey(domain));
