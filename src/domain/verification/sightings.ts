import { zeros } from '../../kernel/vector.ts';
import type { DatedAnswer } from './answer.ts';
import type { Sighting } from './filter.ts';
import type { KnownReport, ProofOfLife } from './history.ts';
import type { Seen } from './history-table.ts';
import type { HostClass } from './host-class.ts';
import { ANSWERS, VARIANCE_MAX } from './host-tables.ts';
import { type Model, rowsAt } from './model.ts';
import { totalOf, VERDICTS } from './provider-table.ts';

/** A delivery report. Without its source it is worth what the table says. */
export type DatedReport = Pick<KnownReport, 'class' | 'at'> & Partial<Pick<KnownReport, 'source'>>;

/** What has been seen of one address. */
export interface Seens {
  /** At most one of each provider (`usedAnswers`). */
  readonly answers: readonly DatedAnswer[];
  readonly reports: readonly DatedReport[];
  readonly proofs: readonly ProofOfLife[];
}
export const NOTHING_SEEN: Seens = { answers: [], reports: [], proofs: [] };

/** What was seen, as the filter and the interval read it. */
export type Evidenced = Sighting &
  (
    | { readonly kind: 'answer'; readonly of: DatedAnswer; readonly variance: readonly number[] }
    | { readonly kind: 'report'; readonly of: DatedReport; readonly variance: number }
    | { readonly kind: 'proof'; readonly of: ProofOfLife }
  );

function ofAnswer(model: Model, host: HostClass, answer: DatedAnswer, at: number): Evidenced {
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

function ofReport({ history }: Model, report: DatedReport, at: number): Evidenced {
  const rates = history.reports[report.class];
  const wrong = history.sources[report.source ?? ''] ?? 0;
  const lands = (1 - wrong) * rates.lands + wrong * rates.bounces;
  const bounces = (1 - wrong) * rates.bounces + wrong * rates.lands;
  const counted = (rate: number): number => 1 / (history.reportWeight * rate);
  const variance = Math.min(VARIANCE_MAX, counted(lands) + counted(bounces));
  return { kind: 'report', of: report, at, byAnswer: null, lands, bounces, variance };
}

function ofProof({ history }: Model, proof: ProofOfLife, at: number): Evidenced {
  const { lands, bounces }: Seen = history.proofs[proof.class];
  return { kind: 'proof', of: proof, at, byAnswer: null, lands, bounces };
}

/** All that was seen, in order of time. What a faster clock dated later than `now` counts as of now. */
export function sightingsOf(
  model: Model,
  host: HostClass,
  { answers, reports, proofs }: Seens,
  now: number,
): Evidenced[] {
  const at = (of: { readonly at: number }): number => Math.min(of.at, now);
  return [
    ...answers.map((answer) => ofAnswer(model, host, answer, at(answer))),
    ...reports.map((report) => ofReport(model, report, at(report))),
    ...proofs.map((proof) => ofProof(model, proof, at(proof))),
  ].sort((one, other) => one.at - other.at);
}
