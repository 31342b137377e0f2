import * as z from 'zod';
import { type Clock, DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { type FactStore, readFact, writeFact } from '../dns/fact-store.ts';
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

/**
 * What is kept of an address and its domain. Evidence of an address belongs to one organisation; that of a domain is shared.
 * An address another organisation asked about is to this one like any other of the domain, so nothing shows that it did.
 */
export interface EvidenceKeys {
  /** Keyed hash of the address within the organisation. */
  readonly organisationId: Id<'org'>;
  readonly addressHash: string;
  readonly domain: string;
}

export interface KnownEvidence {
  /** Of this address, still in force. */
  readonly answers: readonly StoredAnswer[];
  /** What the domain showed when others of its addresses were asked about. */
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

const addressKey = ({ organisationId, addressHash }: Omit<EvidenceKeys, 'domain'>): string =>
  `evidence:v1:${organisationId}:${addressHash}`;
/** Tells the addresses of a domain apart, as each organisation names them. */
const nameOf = ({ addressHash }: EvidenceKeys): string => addressHash.slice(0, 16);
const domainKey = ({ domain }: EvidenceKeys): string => `domain-evidence:v1:${domain}`;

/** A value of another shape is a miss, like an absent one. */
async function read<T>(kv: FactStore, key: string, schema: z.ZodType<T>): Promise<T | null> {
  const stored = await readFact(kv, key);
  try {
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
  const others = atDomain.filter(({ of }) => of !== nameOf(keys));
  const ends = [
    ...answers.map(({ verdict, at }) => at + LIFETIME_MS[verdict]),
    ...others.map(({ at }) => at + DOMAIN_LIFETIME_MS),
  ];
  return {
    answers,
    domainAnswers: others.map(({ provider, verdict }) => ({ provider, verdict })),
    atDomain,
    domainAcceptsAll: newestWord(atDomain) ?? false,
    ttlMs: ends.length === 0 ? 0 : Math.min(...ends) - now,
  };
}

/** Keeps new answers with those known, and what they show of the domain where that is news. Never rejects. */
export async function writeEvidence(
  kv: FactStore,
  keys: EvidenceKeys,
  known: KnownEvidence,
  fresh: readonly StoredAnswer[],
  now: Clock,
): Promise<void> {
  if (fresh.length === 0) return;
  const answers = newestOf([...known.answers, ...fresh]);
  const lifetimeMs = Math.max(...answers.map(({ verdict, at }) => at + LIFETIME_MS[verdict] - now()));
  const news = newsOfDomain(known.atDomain, fresh);
  const domainAnswers = newestOf([...known.atDomain, ...news.map((answer) => ({ ...answer, of: nameOf(keys) }))]);
  await Promise.all([
    writeFact(kv, addressKey(keys), { answers }, lifetimeMs),
    news.length === 0 ? null : writeFact(kv, domainKey(keys), { answers: domainAnswers }, DOMAIN_LIFETIME_MS),
  ]);
}

/** Erasure: nothing is known of the address any more. Rejects when the store can't be reached. */
export const forgetEvidence = (
  kv: { delete(key: string): Promise<void> },
  organisationId: Id<'org'>,
  addressHash: string,
): Promise<void> => kv.delete(addressKey({ organisationId, addressHash }));

/** What was last said, in so many words, of whether the domain accepts every recipient; null when nothing was. */
export function newestWord(answers: readonly Pick<StoredAnswer, 'catch_all' | 'at'>[]): boolean | null {
  const said = answers.filter(({ catch_all }) => catch_all !== null);
  return said.toSorted((one, other) => other.at - one.at)[0]?.catch_all ?? null;
}

/** A domain asked about all day is written once a day: a write is the dearest thing KV sells, one a second and key at most. */
const RENEWED_AFTER_MS = DAY_MS;

/** How the domain treats strangers shows in a refusal, or is said in so many words; other answers could be any domain's. */
const tellsOfDomain = ({ verdict, catch_all }: StoredAnswer): boolean =>
  verdict === 'undeliverable' || catch_all !== null;

/** The answers that add to, change or renew what is kept of a domain: one of each provider. */
function newsOfDomain(kept: readonly DomainAnswer[], fresh: readonly StoredAnswer[]): StoredAnswer[] {
  return fresh.filter((answer) => {
    if (answer.verdict === 'unknown') return false;
    const before = kept.find(({ provider }) => provider === answer.provider);
    if (before === undefined) return true;
    if (before.verdict === answer.verdict && before.catch_all === answer.catch_all)
      return answer.at - before.at > RENEWED_AFTER_MS;
    return tellsOfDomain(answer) || !tellsOfDomain(before);
  });
}

function newestOf<T extends { readonly provider: ProviderId }>(answers: readonly T[]): T[] {
  return [...new Map(answers.map((answer) => [answer.provider, answer])).values()];
}
