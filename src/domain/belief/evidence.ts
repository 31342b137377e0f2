import { DAY_MS } from '../../kernel/clock.ts';
import { zeros } from '../../kernel/probability.ts';
import type { Evidence } from './chain.ts';
import { type DatedAnswer, type DatedReport, type Facts, ONE_WITHIN_MS, type ProofOfLife } from './facts.ts';
import type { HostClass } from './host-class.ts';
import { ANSWERS, type Model, VARIANCE_MAX, rowsAt } from './model.ts';
import { ENGINE } from './provider.ts';
import { totalOf, VERDICTS } from './provider-table.ts';

/** Share of wrong reports by source, for sources that err. Computed nightly. */
export type SourceErrors = Readonly<Record<string, number>>;
export const NO_ERRORS: SourceErrors = {};

export type Observed = Evidence &
  (
    | { readonly kind: 'answer'; readonly of: DatedAnswer; readonly variance: readonly number[] }
    | { readonly kind: 'report'; readonly of: DatedReport | DatedAnswer; readonly variance: number }
    | { readonly kind: 'proof'; readonly of: ProofOfLife }
  );

function ofAnswer(model: Model, host: HostClass, answer: DatedAnswer, at: number): Observed {
  if (answer.full) return ofReport(model, { class: 'full', at: answer.at }, at, 0, answer);
  const rows = rowsAt(model, answer.provider, host);
  const column = VERDICTS.indexOf(answer.verdict);
  const [byAnswer, variance] = [zeros(ANSWERS.length), zeros(ANSWERS.length)];
  ANSWERS.forEach((said, place) => {
    const [count, total] = [rows[said][column] ?? 0, totalOf(rows[said])];
    byAnswer[place] = count / total;
    variance[place] = Math.min(VARIANCE_MAX, 1 / count - 1 / total);
  });
  return { kind: 'answer', of: answer, at, byAnswer, lands: 1, bounces: 1, variance };
}

/** @param wrong share of the source's reports that say the wrong thing */
function ofReport(
  { evidence }: Model,
  report: DatedReport,
  at: number,
  wrong: number,
  of: DatedReport | DatedAnswer = report,
): Observed {
  const rates = evidence.reports[report.class];
  const lands = (1 - wrong) * rates.lands + wrong * rates.bounces;
  const bounces = (1 - wrong) * rates.bounces + wrong * rates.lands;
  const counted = (rate: number): number => 1 / (evidence.reportWeight * rate);
  const variance = Math.min(VARIANCE_MAX, counted(lands) + counted(bounces));
  return { kind: 'report', of, at, byAnswer: null, lands, bounces, variance };
}

function ofProof({ evidence }: Model, proof: ProofOfLife, at: number): Observed {
  return { kind: 'proof', of: proof, at, byAnswer: null, ...evidence.proofs[proof.class] };
}

/** Answers of one engine within this time see the same state of the server. */
const ENGINE_ONE_MS = 30 * DAY_MS;

/**
 * The answers that count. An `unknown` counts only while no provider has said more: beside an answer it reflects the
 * provider, not the address. Answers of one engine within 30 days are one, the newest.
 */
export function countedAnswers<T extends DatedAnswer>(answers: readonly T[]): readonly T[] {
  const said = answers.filter(({ verdict }) => verdict !== 'unknown');
  const counted = said.length > 0 ? said : answers;
  const isNewer = (one: T, other: T): boolean =>
    other !== one && ENGINE[other.provider] === ENGINE[one.provider] && other.at > one.at;
  return counted.filter((one) => !counted.some((other) => isNewer(one, other) && other.at - one.at < ENGINE_ONE_MS));
}

const saysFull = ({ kind, of }: Observed): boolean => kind === 'report' && ('verdict' in of || of.class === 'full');

/** Several reports of a full mailbox within one report's time are one state; the newest counts. */
const withoutRepeatedFull = (observed: readonly Observed[]): Observed[] =>
  observed.filter(
    (one, place) =>
      !saysFull(one) ||
      !observed.slice(place + 1).some((later) => saysFull(later) && later.at - one.at < ONE_WITHIN_MS.full),
  );

/** All facts in order of time. A fact dated in the future by a fast clock counts as of now. */
export function observedIn(
  model: Model,
  host: HostClass,
  { answers, reports, proofs }: Facts,
  now: number,
  errors: SourceErrors = NO_ERRORS,
): Observed[] {
  const at = (of: { readonly at: number }): number => Math.min(of.at, now);
  const observed = [
    ...countedAnswers(answers).map((answer) => ofAnswer(model, host, answer, at(answer))),
    ...reports.map((report) => ofReport(model, report, at(report), errors[report.source ?? ''] ?? 0)),
    ...proofs.map((proof) => ofProof(model, proof, at(proof))),
  ].sort((one, other) => one.at - other.at);
  return withoutRepeatedFull(observed);
}
