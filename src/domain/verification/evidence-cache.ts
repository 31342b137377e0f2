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
const DomainAnswer = StoredAnswer.extend({ of: z.string() });
const DomainEvidence = z.object({ answers: z.array(DomainAnswer).max(PROVIDER_IDS.length) });

export type StoredAnswer = z.infer<typeof StoredAnswer>;
type DomainAnswer = z.infer<typeof DomainAnswer>;

/** What is kept of an address and its domain. The key of an address belongs to one organisation; domain facts are shared. */
export interface EvidenceKeys {
  readonly address: string;
  readonly domain: string;
  readonly of: string;
}

export interface KnownEvidence {
  /** Of this address, still in force. */
  readonly answers: readonly StoredAnswer[];
  /** What the domain showed when its addresses were asked about; without what this organisation was told of this one. */
  readonly domainAnswers: readonly Answer[];
  /** All that is kept of the domain, still in force. */
  readonly atDomain: readonly DomainAnswer[];
  readonly domainAcceptsAll: boolean;
  /** Milliseconds until the first of it ends; 0 when there is none. */
  readonly ttlMs: number;
}

export const NO_EVIDENCE: KnownEvidence = {
  answers: [],
  domainAnswers: [],
  atDomain: [],
  domainAcceptsAll: false,
  ttlMs: 0,
};

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
  const atDomain = (shared?.answers ?? []).filter(({ at }) => at + DOMAIN_LIFETIME_MS > now);
  // What another organisation was told of this very address counts as any other address's: left out, its absence would show
  // that somebody had asked.
  const mine = new Set(answers.map(({ provider }) => provider));
  const others = atDomain.filter(({ of, provider }) => of !== keys.of || !mine.has(provider));
  const ends = [
    ...answers.map(({ verdict, at }) => at + LIFETIME_MS[verdict]),
    ...others.map(({ at }) => at + DOMAIN_LIFETIME_MS),
  ];
  return {
    answers,
    domainAnswers: others.map(({ provider, verdict }) => ({ provider, verdict })),
    atDomain,
    domainAcceptsAll: others.some(({ catch_all }) => catch_all === true),
    ttlMs: ends.length === 0 ? 0 : Math.min(...ends) - now,
  };
}

/**
 * Keeps new answers with those known, and what they show of the domain where that is news.
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
  const news = newsOfDomain(known.atDomain, fresh);
  if (news.length > 0) {
    const domainAnswers = newestOf([...known.atDomain, ...news.map((answer) => ({ ...answer, of: keys.of }))]);
    writes.push(put(domainKey(keys), { answers: domainAnswers }, DOMAIN_LIFETIME_MS));
  }
  await Promise.allSettled(writes);
}

/** A domain asked about all day is written once a day: a write is the dearest thing KV sells, one a second and key at most. */
const RENEWED_AFTER_MS = DAY_MS;

/** A refusal, or that all is accepted, says how the domain treats strangers; the other answers could come from any domain. */
const tellsOfDomain = ({ verdict }: StoredAnswer): boolean => verdict === 'undeliverable' || verdict === 'catch_all';

/** The answers that add to, change or renew what is kept of a domain: one of each provider. */
function newsOfDomain(kept: readonly DomainAnswer[], fresh: readonly StoredAnswer[]): StoredAnswer[] {
  return fresh.filter((answer) => {
    if (answer.verdict === 'unknown') return false;
    const before = kept.find(({ provider }) => provider === answer.provider);
    if (before === undefined) return true;
    if (before.verdict === answer.verdict) return answer.at - before.at > RENEWED_AFTER_MS;
    return tellsOfDomain(answer) || !tellsOfDomain(before);
  });
}

function newestOf<T extends { readonly provider: ProviderId }>(answers: readonly T[]): T[] {
  return [...new Map(answers.map((answer) => [answer.provider, answer])).values()];
}
