import * as z from 'zod';
import { DOMAIN_LABELS, type DomainLabel } from '../domain/screening/model/questions.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type FactStore, parseFact, readFact, writeFact } from './kv.ts';

const LIFETIME_MS = 30 * DAY_MS;

/** Each organisation has its own entry: a free label would show that another organisation asked about the domain. */
export interface DomainLabelKey {
  readonly organisationId: Id<'org'>;
  readonly domain: string;
}

/** The version in the key changes with the shape of the value and the meaning of the labels. */
const kvKey = ({ organisationId, domain }: DomainLabelKey): string => `domain-check:v1:${organisationId}:${domain}`;

const StoredLabel = z.object({ label: z.enum(DOMAIN_LABELS) });

/** Never rejects. */
export const readDomainLabel = async (kv: FactStore, key: DomainLabelKey): Promise<DomainLabel | null> =>
  parseFact(await readFact(kv, kvKey(key)), StoredLabel)?.label ?? null;

export const writeDomainLabel = (kv: FactStore, key: DomainLabelKey, label: DomainLabel): Promise<void> =>
  writeFact(kv, kvKey(key), { label }, LIFETIME_MS);

export const forgetDomainLabel = (kv: { delete(key: string): Promise<void> }, key: DomainLabelKey): Promise<void> =>
  kv.delete(kvKey(key));
