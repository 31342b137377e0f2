import * as z from 'zod';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { FactStore } from '../dns/facts.ts';
import type { Answer } from './evidence.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from './provider.ts';

/**
 * How long an answer may stand for the mailbox. `deliverable` loses half a per cent in 7 days; a refusal may be a mailbox not
 * made yet, `risky` a full one; `unknown` says only how the server felt.
 */
const LIFETIME_MS: Readonly<Record<ProviderVerdict, number>> = {
  deliverable: 7 * DAY_MS,
  catch_all: 7 * DAY_MS,
  undeliverable: 2 * DAY_MS,
  risky: DAY_MS,
  unknown: 10 * MINUTE_MS,
};
/** A domain changes its mind about wildcards seldom. */
const DOMAIN_LIFETIME_MS = 14 * DAY_MS;

const StoredAnswer = z.object({
  provider: z.enum(PROVIDER_IDS),
  verdict: z.enum(['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown']),
  catch_all: z.boolean().nullable(),
  at: z.number(),
});
const AddressEvidence = z.object({ answers: z.array(StoredAnswer).max(PROVIDER_IDS.length) });
/** `of`: names the address among the domain's, so that it is never counted twice; tells nothing else. */
const DomainEvidence = z.object({
  answers: z.array(StoredAnswer.extend({ of: z.string() })).max(PROVIDER_IDS.length),
});

export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** What is kept of an address and its domain. The key of an address belongs to one organisation; domain facts are shared. */
export interface EvidenceKeys {
  readonly address: string;
  readonly domain: string;
  readonly of: string;
}

export interface KnownEvidence {
  /** Of this address, still in force. */
  readonly answers: readonly StoredAnswer[];
  /** Of other addresses at the domain. */
  readonly domainAnswers: readonly Answer[];
  readonly domainAcceptsAll: boolean;
  /** Milliseconds until the first of it ends; 0 when there is none. */
  readonly ttlMs: number;
}

export const NO_EVIDENCE: KnownEvidence = { answers: [], domainAnswers: [], domainAcceptsAll: false, ttlMs: 0 };

const addressKey = ({ address }: EvidenceKeys): string => `evidence:v1:${address}`;
const domainKey = ({ domain }: EvidenceKeys): string => `domain-evidence:v1:${domain}`;

/** KV is a cache: what is absent, unreachable or of another shape is a miss. */
async function read<T>(kv: FactStore, key: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const stored = await kv.get(key);
    return stored === null ? null : schema.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

export async function readEvidence(kv: FactStore, keys: EvidenceKeys, now: number): Promise<KnownEvidence> {
  const [own, shared] = await Promise.all([
    read(kv, addressKey(keys), AddressEvidence),
    read(kv, domainKey(keys), DomainEvidence),
  ]);
  const answers = (own?.answers ?? []).filter(({ verdict, at }) => at + LIFETIME_MS[verdict] > now);
  const others = (shared?.answers ?? []).filter(({ of, at }) => of !== keys.of && at + DOMAIN_LIFETIME_MS > now);
  const ends = [
    ...answers.map(({ verdict, at }) => at + LIFETIME_MS[verdict]),
    ...others.map(({ at }) => at + DOMAIN_LIFETIME_MS),
  ];
  return {
    answers,
    domainAnswers: others.map(({ provider, verdict }) => ({ provider, verdict })),
    domainAcceptsAll: others.some(({ catch_all }) => catch_all === true),
    ttlMs: ends.length === 0 ? 0 : Math.min(...ends) - now,
  };
}

/**
 * Keeps new answers with those known, and what they say of the domain: each provider's newest telling answer about it.
 * Never rejects: losing evidence costs money, never truth.
 */
export async function writeEvidence(
  kv: FactStore,
  keys: EvidenceKeys,
  known: KnownEvidence,
  fresh: readonly StoredAnswer[],
  now: Clock,
): Promise<void> {
  if (fresh.length === 0) return;
  const answers = newestOf([...known.answers, ...fresh]);
  const put = (key: string, value: object, lifetimeMs: number) =>
    kv.put(key, JSON.stringify(value), { expirationTtl: Math.max(60, Math.ceil(lifetimeMs / SECOND_MS)) });
  const lifetimeMs = Math.max(...answers.map(({ verdict, at }) => at + LIFETIME_MS[verdict] - now()));
  const writes: Promise<void>[] = [put(addressKey(keys), { answers }, lifetimeMs)];
  const telling = fresh.filter(({ verdict }) => verdict !== 'unknown').map((answer) => ({ ...answer, of: keys.of }));
  if (telling.length > 0 && known.domainAnswers.length === 0) {
    writes.push(put(domainKey(keys), { answers: newestOf(telling) }, DOMAIN_LIFETIME_MS));
  }
  await Promise.allSettled(writes);
}

function newestOf<T extends { readonly provider: ProviderId }>(answers: readonly T[]): T[] {
  return [...new Map(answers.map((answer) => [answer.provider, answer])).values()];
}
