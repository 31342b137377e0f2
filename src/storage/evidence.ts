import * as z from 'zod';
import type { Answer } from '../domain/verification/evidence.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../domain/verification/provider.ts';
import { type Clock, DAY_MS, MINUTE_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import {
  type AcceptsAllFlag,
  isAcceptsAllKey,
  readAcceptsAll,
  sawAcceptsAll,
  toldTo,
  writeAcceptsAll,
} from './accepts-all.ts';
import { type FactStore, readFact, writeFact } from './kv.ts';

/**
 * How long an answer counts for the mailbox. `deliverable` loses half a per cent in 7 days. An undeliverable mailbox may
 * be created later, `risky` may be a full one, and `unknown` says only how the server behaved at that time.
 */
const LIFETIME_MS: Readonly<Record<ProviderVerdict, number>> = {
  deliverable: 7 * DAY_MS,
  catch_all: 7 * DAY_MS,
  undeliverable: 2 * DAY_MS,
  risky: DAY_MS,
  unknown: 10 * MINUTE_MS,
};
/** Domains seldom change whether they accept every recipient. */
const DOMAIN_LIFETIME_MS = 14 * DAY_MS;

const StoredAnswer = z.object({
  provider: z.enum(PROVIDER_IDS),
  verdict: z.enum(['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown']),
  catch_all: z.boolean().nullable(),
  at: z.number(),
});
const AddressEvidence = z.object({ answers: z.array(StoredAnswer).max(PROVIDER_IDS.length) });
/** `of`: names the organisation's address at the domain, so that an address never counts twice. */
const DomainAnswer = StoredAnswer.extend({ of: z.string() });
/** Two answers of each provider: about this address and about another one. */
const OF_EACH_PROVIDER = 2;
const DomainEvidence = z.object({ answers: z.array(DomainAnswer).max(OF_EACH_PROVIDER * PROVIDER_IDS.length) });

export type StoredAnswer = z.infer<typeof StoredAnswer>;
type DomainAnswer = z.infer<typeof DomainAnswer>;

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

export interface KnownEvidence {
  /** Answers about this address that are still in force. */
  readonly answers: readonly StoredAnswer[];
  /** Answers about other addresses at the domain that the organisation asked about. */
  readonly domainAnswers: readonly Answer[];
  /** All answers of the organisation about the domain that are still in force. */
  readonly atDomain: readonly DomainAnswer[];
  /**
   * The shared flag as read. `told`: what it says, where the organisation's own answers don't show how the domain
   * behaves.
   */
  readonly flag: AcceptsAllFlag | null;
  readonly told: boolean | null;
  readonly domainAcceptsAll: boolean;
  /** Milliseconds until the newest of `answers` expires; 0 without answers. */
  readonly ttlMs: number;
}

export const NO_EVIDENCE: KnownEvidence = {
  answers: [],
  domainAnswers: [],
  atDomain: [],
  flag: null,
  told: null,
  domainAcceptsAll: false,
  ttlMs: 0,
};

type OwnKeys = Pick<EvidenceKeys, 'organisationId' | 'addressHash'>;
const addressKey = ({ organisationId, addressHash }: OwnKeys): string => `evidence:v1:${organisationId}:${addressHash}`;
/** A short name for an address among those of its domain. */
const nameOf = ({ addressHash }: OwnKeys): string => addressHash.slice(0, 16);
/** Before version 3 a domain's record was shared by all organisations. */
const DOMAIN_KEY = 'domain-evidence:v3:';
const domainKey = ({ organisationId, domain }: Pick<EvidenceKeys, 'organisationId' | 'domain'>): string =>
  `${DOMAIN_KEY}${organisationId}:${domain}`;
/** Whether a key belongs to a domain, whose addresses share it. */
export const isOfDomain = (key: string): boolean => key.startsWith(DOMAIN_KEY) || isAcceptsAllKey(key);

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
  const [own, ofDomain, flag] = await Promise.all([
    read(kv, addressKey(keys), AddressEvidence),
    read(kv, domainKey(keys), DomainEvidence),
    readAcceptsAll(kv, keys.domain, now),
  ]);
  const answers = (own?.answers ?? []).filter((answer) => endOf(answer) > now);
  const atDomain = (ofDomain?.answers ?? []).filter(({ at }) => at + DOMAIN_LIFETIME_MS > now);
  const others = newestOf(mostTelling(atDomain.filter(({ of }) => of !== nameOf(keys))).toReversed());
  const told = flag === null || others.some(tellsOfDomain) ? null : toldTo(keys.seenAs(), flag, now);
  return {
    answers,
    atDomain,
    flag,
    told,
    domainAnswers: others.map(({ provider, verdict }) => ({ provider, verdict })),
    domainAcceptsAll: newestWord(atDomain) ?? told ?? false,
    ttlMs: newestEnd(answers, now),
  };
}

const endOf = ({ verdict, at }: StoredAnswer): number => at + LIFETIME_MS[verdict];

/** Answers of the same moment may expire at different times: the last one counts. */
function newestEnd(answers: readonly StoredAnswer[], now: number): number {
  const newestAt = Math.max(...answers.map(({ at }) => at));
  return Math.max(now, ...answers.filter(({ at }) => at === newestAt).map(endOf)) - now;
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
    known += [...(stored?.values() ?? [])].filter((text) => isInForce(parseEvidence(text), now)).length;
  }
  return known;
}

function parseEvidence(text: string | null): z.infer<typeof AddressEvidence> | null {
  try {
    return text === null ? null : AddressEvidence.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const isInForce = (evidence: z.infer<typeof AddressEvidence> | null, now: number): boolean =>
  evidence?.answers.some((answer) => endOf(answer) > now) ?? false;

/** Stores new answers with the known ones, and what they show about the domain if that is new. Never rejects. */
export async function writeEvidence(
  kv: FactStore,
  keys: EvidenceKeys,
  known: KnownEvidence,
  fresh: readonly StoredAnswer[],
  now: Clock,
): Promise<void> {
  if (fresh.length === 0) return;
  const answers = newestOf([...known.answers, ...fresh]);
  const lifetimeMs = Math.max(...answers.map(endOf)) - now();
  const domainAnswers = atDomainWith(known.atDomain, fresh, nameOf(keys));
  const word = wordOnDomain(fresh);
  const flag = word === null ? null : sawAcceptsAll(known.flag, keys.seenAs(), word, now());
  await Promise.all([
    writeFact(kv, addressKey(keys), { answers }, lifetimeMs),
    domainAnswers === null ? null : writeFact(kv, domainKey(keys), { answers: domainAnswers }, DOMAIN_LIFETIME_MS),
    flag === null ? null : writeAcceptsAll(kv, keys.domain, flag, now()),
  ]);
}

/**
 * Whether the domain accepts every recipient: a provider says so, or a refusal shows it. Null: unknown or contradictory.
 */
function wordOnDomain(fresh: readonly StoredAnswer[]): boolean | null {
  const words = new Set(
    fresh.flatMap(({ verdict, catch_all }) => catch_all ?? (verdict === 'undeliverable' ? [false] : [])),
  );
  const [word = null] = words;
  return words.size === 1 ? word : null;
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

/** The newest explicit answer to whether the domain accepts every recipient; null without one. */
export function newestWord(answers: readonly Pick<StoredAnswer, 'catch_all' | 'at'>[]): boolean | null {
  const said = answers.filter(({ catch_all }) => catch_all !== null);
  return said.toSorted((one, other) => other.at - one.at)[0]?.catch_all ?? null;
}

/** A busy domain is written once a day: writes are KV's dearest operation, at most one a second and key. */
const RENEWED_AFTER_MS = DAY_MS;

/** A refusal or an explicit flag shows whether the domain accepts every recipient; other answers don't. */
const tellsOfDomain = ({ verdict, catch_all }: StoredAnswer): boolean =>
  verdict === 'undeliverable' || catch_all !== null;

/** Answers that tell about the domain come first; then the newest. */
const mostTelling = <T extends StoredAnswer>(answers: readonly T[]): T[] =>
  answers.toSorted((one, other) => Number(tellsOfDomain(other)) - Number(tellsOfDomain(one)) || other.at - one.at);

/** A domain's answers with new ones about one of its addresses; null when these add nothing. */
function atDomainWith(
  kept: readonly DomainAnswer[],
  fresh: readonly StoredAnswer[],
  of: string,
): readonly DomainAnswer[] | null {
  let [answers, isNews] = [kept, false];
  for (const said of fresh) {
    if (said.verdict === 'unknown') continue;
    const before = kept.filter(({ provider }) => provider === said.provider);
    const best = mostTelling([{ ...said, of }, ...before.filter((each) => each.of !== of)]).slice(0, OF_EACH_PROVIDER);
    const isSaidAlready = before.some(
      (each) =>
        (each.of === of || before.length === OF_EACH_PROVIDER) &&
        each.verdict === said.verdict &&
        each.catch_all === said.catch_all &&
        said.at - each.at <= RENEWED_AFTER_MS,
    );
    if (isSaidAlready || !best.some((each) => each.of === of)) continue;
    answers = [...answers.filter(({ provider }) => provider !== said.provider), ...best];
    isNews = true;
  }
  return isNews ? answers : null;
}

function newestOf<T extends { readonly provider: ProviderId }>(answers: readonly T[]): T[] {
  return [...new Map(answers.map((answer) => [answer.provider, answer])).values()];
}
