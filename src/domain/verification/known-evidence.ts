import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { type AcceptsAllFlag, sawAcceptsAll, toldTo } from './accepts-all.ts';
import type { Answer } from './evidence.ts';
import type { ProviderVerdict } from './provider.ts';

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
export const DOMAIN_LIFETIME_MS = 14 * DAY_MS;
/** A domain keeps two answers of each provider: about this address and about another one. */
export const OF_EACH_PROVIDER = 2;
/** A busy domain is written once a day: writes are KV's dearest operation, at most one a second and key. */
const RENEWED_AFTER_MS = DAY_MS;

/** A provider's answer as it is kept: when it came, and what it says of the domain. */
export interface KnownAnswer extends Answer {
  readonly catch_all: boolean | null;
  readonly at: number;
}

/** `of`: names the organisation's address at the domain, so that an address never counts twice. */
export interface DomainAnswer extends KnownAnswer {
  readonly of: string;
}

/** What the store holds about a domain. */
export interface DomainEvidence {
  readonly domainAnswers: readonly DomainAnswer[];
  readonly flag: AcceptsAllFlag | null;
}
export const NO_DOMAIN_EVIDENCE: DomainEvidence = { domainAnswers: [], flag: null };

/** What the account knows of an address, and the store of its domain. */
export interface StoredEvidence extends DomainEvidence {
  readonly answers: readonly KnownAnswer[];
}

/** Whose evidence it is. */
export interface EvidenceNames {
  /** Names the address among those of its domain. */
  readonly of: string;
  /** Names the organisation in the shared flag of the domain. */
  readonly seenAs: () => string;
}

export interface KnownEvidence {
  /** Answers about this address that are still in force. */
  readonly answers: readonly KnownAnswer[];
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

const endOf = ({ verdict, at }: KnownAnswer): number => at + LIFETIME_MS[verdict];

/** The answers about an address that still count. */
export const answersInForce = (answers: readonly KnownAnswer[], now: number): KnownAnswer[] =>
  answers.filter((answer) => endOf(answer) > now);

/** What stored evidence says to its organisation now. */
export function knownFrom(stored: StoredEvidence, { of, seenAs }: EvidenceNames, now: number): KnownEvidence {
  const { flag } = stored;
  const answers = answersInForce(stored.answers, now);
  const atDomain = stored.domainAnswers.filter(({ at }) => at + DOMAIN_LIFETIME_MS > now);
  const others = newestOf(mostTelling(atDomain.filter((each) => each.of !== of)).toReversed());
  const told = flag === null || others.some(tellsOfDomain) ? null : toldTo(seenAs(), flag, now);
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

/** What fresh answers about one address change in the store of domains. Null: that part stays as it is. */
export interface LearnedEvidence {
  readonly domainAnswers: readonly DomainAnswer[] | null;
  readonly flag: AcceptsAllFlag | null;
}

/** What fresh answers show about the domain. */
export function learnedFrom(
  known: KnownEvidence,
  fresh: readonly KnownAnswer[],
  { of, seenAs }: EvidenceNames,
  now: number,
): LearnedEvidence {
  const word = wordOnDomain(fresh);
  return {
    domainAnswers: atDomainWith(known.atDomain, fresh, of),
    flag: word === null ? null : sawAcceptsAll(known.flag, seenAs(), word, now),
  };
}

/** Milliseconds since the newest known answer other than `unknown`; 0 without one. */
export function ageOf({ answers }: Pick<KnownEvidence, 'answers'>, now: number): number {
  const telling = answers.filter(({ verdict }) => verdict !== 'unknown').map(({ at }) => at);
  return telling.length === 0 ? 0 : Math.max(0, now - Math.max(...telling));
}

/** The newest explicit answer to whether the domain accepts every recipient; null without one. */
export function newestWord(answers: readonly Pick<KnownAnswer, 'catch_all' | 'at'>[]): boolean | null {
  const said = answers.filter(({ catch_all }) => catch_all !== null);
  return said.toSorted((one, other) => other.at - one.at)[0]?.catch_all ?? null;
}

/** Answers of the same moment may expire at different times: the last one counts. */
function newestEnd(answers: readonly KnownAnswer[], now: number): number {
  const newestAt = Math.max(...answers.map(({ at }) => at));
  return Math.max(now, ...answers.filter(({ at }) => at === newestAt).map(endOf)) - now;
}

/**
 * Whether the domain accepts every recipient: a provider says so, or a refusal shows it. Null: unknown or contradictory.
 */
function wordOnDomain(fresh: readonly KnownAnswer[]): boolean | null {
  const words = new Set(
    fresh.flatMap(({ verdict, catch_all }) => catch_all ?? (verdict === 'undeliverable' ? [false] : [])),
  );
  const [word = null] = words;
  return words.size === 1 ? word : null;
}

/** A refusal or an explicit flag shows whether the domain accepts every recipient; other answers don't. */
const tellsOfDomain = ({ verdict, catch_all }: KnownAnswer): boolean =>
  verdict === 'undeliverable' || catch_all !== null;

/** Answers that tell about the domain come first; then the newest. */
const mostTelling = <T extends KnownAnswer>(answers: readonly T[]): T[] =>
  answers.toSorted((one, other) => Number(tellsOfDomain(other)) - Number(tellsOfDomain(one)) || other.at - one.at);

/** A domain's answers with new ones about one of its addresses; null when these add nothing. */
function atDomainWith(
  kept: readonly DomainAnswer[],
  fresh: readonly KnownAnswer[],
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

/** One answer of each provider: its last in the list. */
const newestOf = <T extends Answer>(answers: readonly T[]): T[] => [
  ...new Map(answers.map((answer) => [answer.provider, answer])).values(),
];
