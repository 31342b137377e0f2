import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { bestOfEach, type KnownAnswer } from './answer.ts';
import type { AddressHistory, DeliveryReport, KnownReport, Learnt, ProofOfLife, Sight } from './history.ts';
import { REPORTS_MAX } from './history-codec.ts';

/** What is older is forgotten: reports as much as addresses without anything new. */
export const KEPT_MS = 400 * DAY_MS;
/** Clocks of two machines differ by less. */
const AHEAD_MS = MINUTE_MS;

/** A report or event of this time counts. One of the future shows a wrong clock, or an invented time. */
export const isInTime = (at: number, now: number): boolean => at > now - KEPT_MS && at <= now + AHEAD_MS;

const HASH_DIGITS = 32;
/** The part of a keyed hash that names a row: 128 bits. */
export const rowName = (hash: string): string => hash.slice(0, HASH_DIGITS);

const TAG_DIGITS = 4;
/** Four hex digits that stand for who reported, in a row that has no place for more. */
export const sourceTag = (source: string): string => sha256Hex(source).slice(0, TAG_DIGITS);

/** The list that a single call belongs to: its key and what it is for. A bulk job is a list of its own. */
export const listOfCalls = (keyId: string, purpose: string): string => rowName(sha256Hex(`${keyId} ${purpose}`));
export const listOfJob = (jobId: string): string => rowName(sha256Hex(jobId));

/** An address of which nothing is known yet. */
const unknownAddress = ({ at, host, features, purpose, domain, list }: Sight): AddressHistory => ({
  firstSeenAt: at,
  host,
  features,
  purpose,
  domain,
  list,
  answers: [],
  reports: [],
  proofs: [],
  part: null,
});

/** The best answer of each provider, in order of time. */
const withAnswers = (known: readonly KnownAnswer[], fresh: readonly KnownAnswer[]): readonly KnownAnswer[] =>
  bestOfEach([...known, ...fresh]).toSorted((one, other) => one.at - other.at);

/**
 * The reports of an address as its row keeps them. One of each message counts, the last; of `full` and `soft` the newest
 * alone, so that many of them push nothing else out.
 */
export function keptReports(reports: readonly DeliveryReport[]): readonly KnownReport[] {
  const inOrder = reports.toSorted((one, other) => one.at - other.at);
  const lastOfEach = [...new Map(inOrder.map((report) => [report.of, report])).values()];
  const passing = new Set(['full', 'soft']);
  return lastOfEach
    .toSorted((one, other) => one.at - other.at)
    .filter((report, place, all) => !passing.has(report.class) || isLastOfClass(report, place, all))
    .slice(-REPORTS_MAX)
    .map(({ class: kind, at, source }) => ({ class: kind, at, source: sourceTag(source) }));
}

const isLastOfClass = (report: DeliveryReport, place: number, all: readonly DeliveryReport[]): boolean =>
  !all.slice(place + 1).some((later) => later.class === report.class);

/** The newest of each class. */
const withProof = (known: readonly ProofOfLife[], proof: ProofOfLife): readonly ProofOfLife[] => {
  const other = known.find((each) => each.class === proof.class);
  if (other !== undefined && other.at >= proof.at) return known;
  return [...known.filter((each) => each !== other), proof];
};

/**
 * The address with what is new about it. What it was first seen as stays, its list among it.
 * @param reports all reports about it, where there is a new one
 */
export function withLearnt(
  known: AddressHistory | null,
  { sight, answers, proof }: Learnt,
  reports: readonly DeliveryReport[] | null,
): AddressHistory {
  const before = known ?? unknownAddress(sight);
  const kept = reports === null ? before.reports : keptReports(reports);
  const first = Math.min(before.firstSeenAt, sight.at, ...kept.map(({ at }) => at));
  return {
    ...before,
    firstSeenAt: first,
    answers: withAnswers(before.answers, answers),
    reports: kept,
    proofs: proof === null ? before.proofs : withProof(before.proofs, proof),
  };
}
