import { type AcceptsAllFlag, sawAcceptsAll, toldTo } from './accepts-all.ts';
import { ANSWER_LASTS_MS, type KnownAnswer, usedAnswers } from './answer.ts';
import type { AddressHistory, KnownReport, ProofOfLife } from './history.ts';
import { KEPT_MS } from './history-merge.ts';

/** What the account knows of an address, and what organisations share of its domain, as far as it still counts. */
export interface KnownEvidence {
  /** Answers about this address. */
  readonly answers: readonly KnownAnswer[];
  readonly reports: readonly KnownReport[];
  readonly proofs: readonly ProofOfLife[];
  /** What the shared flag of the domain says to this organisation. */
  readonly told: boolean | null;
  /** Milliseconds until the newest of answers and reports is forgotten; 0 without any. */
  readonly ttlMs: number;
}

export const NO_EVIDENCE: KnownEvidence = {
  answers: [],
  reports: [],
  proofs: [],
  told: null,
  ttlMs: 0,
};

/** What of the history of an address still counts. `shared`: the flag of its domain, and the organisation's name in it. */
export function knownFrom(
  address: AddressHistory | null,
  shared: { readonly flag: AcceptsAllFlag; readonly seenAs: () => string } | null,
  now: number,
): KnownEvidence {
  const { answers: kept, reports, proofs } = address ?? NO_EVIDENCE;
  const answers = usedAnswers<KnownAnswer>(kept, now);
  return {
    answers,
    reports,
    proofs,
    told: shared && toldTo(shared.seenAs(), shared.flag, now),
    ttlMs: newestEnd(answers, reports, now),
  };
}

/** The shared flag with what fresh answers show of the domain; null where that is nothing new. */
export function flagLearned(
  flag: AcceptsAllFlag | null,
  fresh: readonly KnownAnswer[],
  seenAs: () => string,
  now: number,
): AcceptsAllFlag | null {
  const word = wordOnDomain(fresh);
  return word === null ? null : sawAcceptsAll(flag, seenAs(), word, now);
}

/** The newest explicit answer to whether the domain accepts every recipient; null without one. */
export function newestWord(answers: readonly Pick<KnownAnswer, 'catch_all' | 'at'>[]): boolean | null {
  const said = answers.filter(({ catch_all }) => catch_all !== null);
  return said.toSorted((one, other) => other.at - one.at)[0]?.catch_all ?? null;
}

/** Evidence of the same moment may be forgotten at different times: the last one counts. */
function newestEnd(answers: readonly KnownAnswer[], reports: readonly KnownReport[], now: number): number {
  const all = [
    ...answers.map(({ at }) => ({ at, end: at + ANSWER_LASTS_MS })),
    ...reports.map(({ at }) => ({ at, end: at + KEPT_MS })),
  ];
  const newestAt = Math.max(...all.map(({ at }) => at));
  return Math.max(now, ...all.filter(({ at }) => at === newestAt).map(({ end }) => end)) - now;
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
