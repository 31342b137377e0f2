import * as z from 'zod';
import {
  DOMAIN_LIFETIME_MS,
  type DomainAnswer,
  type DomainEvidence,
  type EvidenceNames,
  type KnownAnswer,
  type KnownEvidence,
  learnedFrom,
  OF_EACH_PROVIDER,
} from '../domain/verification/known-evidence.ts';
import { PROVIDER_IDS } from '../domain/verification/provider.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { readAcceptsAll, writeAcceptsAll } from './accepts-all.ts';
import { type FactStore, parseFact, readFact, writeFact } from './kv.ts';

const Stored = z.object({
  provider: z.enum(PROVIDER_IDS),
  verdict: z.enum(['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown']),
  catch_all: z.boolean().nullable(),
  at: z.number(),
});
const StoredOfDomain: z.ZodType<{ readonly answers: readonly DomainAnswer[] }> = z.object({
  answers: z.array(Stored.extend({ of: z.string() })).max(OF_EACH_PROVIDER * PROVIDER_IDS.length),
});

/**
 * Whose evidence to read. What an organisation learns about a domain is its own; organisations share only a flag of the
 * domain (`accepts-all.ts`).
 */
export interface EvidenceKeys {
  readonly organisationId: Id<'org'>;
  /** Keyed hash of the address within the organisation. */
  readonly addressHash: string;
  readonly domain: string;
  /** The organisation's keyed hash of the domain, under which the shared flag counts it. */
  readonly seenAs: () => string;
}

type OwnKeys = Pick<EvidenceKeys, 'organisationId' | 'addressHash'>;
/** Where releases before kept answers about an address, for 7 days at most. */
const formerAddressKey = ({ organisationId, addressHash }: OwnKeys): string =>
  `evidence:v1:${organisationId}:${addressHash}`;
/** Before version 3 a domain's record was shared by all organisations. */
const DOMAIN_KEY = 'domain-evidence:v3:';
const domainKey = ({ organisationId, domain }: Pick<EvidenceKeys, 'organisationId' | 'domain'>): string =>
  `${DOMAIN_KEY}${organisationId}:${domain}`;

const NAME_DIGITS = 16;
/** What names the address in a domain's evidence. */
export const namesOf = ({ addressHash, seenAs }: EvidenceKeys): EvidenceNames => ({
  of: addressHash.slice(0, NAME_DIGITS),
  seenAs,
});

/** Never rejects. */
export async function readEvidence(kv: FactStore, keys: EvidenceKeys, now: number): Promise<DomainEvidence> {
  const [ofDomain, flag] = await Promise.all([readFact(kv, domainKey(keys)), readAcceptsAll(kv, keys.domain, now)]);
  return { domainAnswers: parseFact(ofDomain, StoredOfDomain)?.answers ?? [], flag };
}

/** Stores what new answers show about the domain, if that is new. Never rejects. */
export async function writeEvidence(
  kv: FactStore,
  keys: EvidenceKeys,
  known: KnownEvidence,
  fresh: readonly KnownAnswer[],
  clock: Clock,
): Promise<void> {
  if (fresh.length === 0) return;
  const now = clock();
  const { domainAnswers, flag } = learnedFrom(known, fresh, namesOf(keys), now);
  await Promise.all([
    domainAnswers === null ? null : writeFact(kv, domainKey(keys), { answers: domainAnswers }, DOMAIN_LIFETIME_MS),
    flag === null ? null : writeAcceptsAll(kv, keys.domain, flag, now),
  ]);
}

/** Erasure: removes the evidence of the domain, which may derive from the address's answers. Rejects when the store can't be reached. */
export async function forgetEvidence(
  kv: { delete(key: string): Promise<void> },
  keys: Pick<EvidenceKeys, 'organisationId' | 'addressHash' | 'domain'>,
): Promise<void> {
  await Promise.all([kv.delete(formerAddressKey(keys)), kv.delete(domainKey(keys))]);
}
