import * as z from 'zod';
import {
  answersInForce,
  DOMAIN_LIFETIME_MS,
  type DomainAnswer,
  type EvidenceNames,
  type KnownAnswer,
  type KnownEvidence,
  knownFrom,
  learnedFrom,
  OF_EACH_PROVIDER,
} from '../domain/verification/known-evidence.ts';
import { PROVIDER_IDS } from '../domain/verification/provider.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { isAcceptsAllKey, readAcceptsAll, writeAcceptsAll } from './accepts-all.ts';
import { type FactStore, parseFact, readFact, writeFact } from './kv.ts';

const Stored = z.object({
  provider: z.enum(PROVIDER_IDS),
  verdict: z.enum(['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown']),
  catch_all: z.boolean().nullable(),
  at: z.number(),
});
const AddressEvidence: z.ZodType<{ readonly answers: readonly KnownAnswer[] }> = z.object({
  answers: z.array(Stored).max(PROVIDER_IDS.length),
});
const DomainEvidence: z.ZodType<{ readonly answers: readonly DomainAnswer[] }> = z.object({
  answers: z.array(Stored.extend({ of: z.string() })).max(OF_EACH_PROVIDER * PROVIDER_IDS.length),
});

/**
 * Whose evidence to read. What an organisation learns about an address and its domain is its own; organisations share
 * only a flag of the domain (`accepts-all.ts`).
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
const addressKey = ({ organisationId, addressHash }: OwnKeys): string => `evidence:v1:${organisationId}:${addressHash}`;
/** Before version 3 a domain's record was shared by all organisations. */
const DOMAIN_KEY = 'domain-evidence:v3:';
const domainKey = ({ organisationId, domain }: Pick<EvidenceKeys, 'organisationId' | 'domain'>): string =>
  `${DOMAIN_KEY}${organisationId}:${domain}`;
/** Whether a key belongs to a domain, whose addresses share it. */
export const isOfDomain = (key: string): boolean => key.startsWith(DOMAIN_KEY) || isAcceptsAllKey(key);

const NAME_DIGITS = 16;
const namesOf = ({ addressHash, seenAs }: EvidenceKeys): EvidenceNames => ({
  of: addressHash.slice(0, NAME_DIGITS),
  seenAs,
});

/** Never rejects. */
export async function readEvidence(kv: FactStore, keys: EvidenceKeys, now: number): Promise<KnownEvidence> {
  const [own, ofDomain, flag] = await Promise.all([
    readFact(kv, addressKey(keys)),
    readFact(kv, domainKey(keys)),
    readAcceptsAll(kv, keys.domain, now),
  ]);
  const answers = parseFact(own, AddressEvidence)?.answers ?? [];
  const domainAnswers = parseFact(ofDomain, DomainEvidence)?.answers ?? [];
  return knownFrom({ answers, domainAnswers, flag }, namesOf(keys), now);
}

/** Keys that KV reads in one call. */
const KEYS_AT_ONCE = 100;

/**
 * How many of an organisation's addresses have evidence in force. KV bills by key and bounds its calls. Never rejects.
 */
export async function countKnown(
  kv: { get(keys: string[]): Promise<ReadonlyMap<string, string | null>> },
  organisationId: Id<'org'>,
  addressHashes: readonly string[],
  now: number,
): Promise<number> {
  let known = 0;
  for (let from = 0; from < addressHashes.length; from += KEYS_AT_ONCE) {
    const hashes = addressHashes.slice(from, from + KEYS_AT_ONCE);
    const stored = await kv
      .get(hashes.map((addressHash) => addressKey({ organisationId, addressHash })))
      .catch(() => null);
    known += [...(stored?.values() ?? [])].filter((text) => hasAnswers(text, now)).length;
  }
  return known;
}

const hasAnswers = (text: string | null, now: number): boolean =>
  answersInForce(parseFact(text, AddressEvidence)?.answers ?? [], now).length > 0;

/** Stores new answers with the known ones, and what they show about the domain if that is new. Never rejects. */
export async function writeEvidence(
  kv: FactStore,
  keys: EvidenceKeys,
  known: KnownEvidence,
  fresh: readonly KnownAnswer[],
  clock: Clock,
): Promise<void> {
  if (fresh.length === 0) return;
  const now = clock();
  const { answers, answersEndMs, domainAnswers, flag } = learnedFrom(known, fresh, namesOf(keys), now);
  await Promise.all([
    writeFact(kv, addressKey(keys), { answers }, answersEndMs - now),
    domainAnswers === null ? null : writeFact(kv, domainKey(keys), { answers: domainAnswers }, DOMAIN_LIFETIME_MS),
    flag === null ? null : writeAcceptsAll(kv, keys.domain, flag, now),
  ]);
}

/**
 * Erasure: removes the evidence of the address, and of its domain, which may derive from the address's answers. Rejects
 * when the store can't be reached.
 */
export async function forgetEvidence(
  kv: { delete(key: string): Promise<void> },
  keys: Pick<EvidenceKeys, 'organisationId' | 'addressHash' | 'domain'>,
): Promise<void> {
  await Promise.all([kv.delete(addressKey(keys)), kv.delete(domainKey(keys))]);
}
