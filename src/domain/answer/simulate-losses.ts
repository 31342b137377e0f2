import type { LossSimulation } from '../../contract/losses.ts';
import type { Purpose, Recommendation } from '../../contract/vocabulary.ts';
import type { Feature } from '../belief/facts.ts';
import { type LossTable, groundsFrom, recommend, stakesOf } from '../router/losses.ts';
import { countChanges } from '../traces/changes.ts';
import type { TraceDetail, TraceRecord } from '../traces/record.ts';
import { isTerminal } from './precheck.ts';
import { factsIn } from './replay.ts';

/** The detail that a recommendation follows from, beside the probability. */
export const JUDGED_DETAIL = ['confidenceInterval', 'signals', 'providers', 'features', 'reasons', 'context'] as const;

/** A trace as a simulation of losses reads it. */
export type JudgedTrace = Pick<TraceRecord, 'id' | 'kind' | 'recommendation' | 'bounceProbability'> & {
  readonly detail: Pick<TraceDetail, (typeof JUDGED_DETAIL)[number]> | null;
};

export interface LossSimulationRun {
  /** Takes one page of traces; the order does not change the counts. */
  add(traces: Iterable<JudgedTrace>): void;
  result(): Omit<LossSimulation, 'window_days' | 'complete'>;
}

/**
 * What these losses, and today's rules, would have recommended for stored traces, page by page. A trace of a request that
 * named no purpose is judged as one that names none today (`usual`). Undetermined: the detail is gone.
 */
export function openLossSimulation(table: LossTable, usual: Purpose): LossSimulationRun {
  const counts: Record<Recommendation, number> = { send: 0, hold: 0, challenge: 0, drop: 0 };
  const changes = countChanges<Recommendation>();
  let [traces, undetermined] = [0, 0];

  const note = ({ id, kind, recommendation: from, bounceProbability, detail }: JudgedTrace): void => {
    traces += 1;
    if (!detail?.confidenceInterval || !detail.features || !detail.providers || !detail.reasons) {
      undetermined += 1;
      return;
    }
    const { confidenceInterval: interval, features, providers, reasons, context } = detail;
    const warning = detail.signals?.warning ?? null;
    const { answers, reports } = factsIn(features, providers);
    const to = recommend(
      { probability: bounceProbability, interval },
      stakesOf({ table }, context?.purpose ?? usual),
      groundsFrom({ answers, reports, features: features.x as Feature[], isFile: kind === 'bulk', warning }),
      reasons.some(isTerminal),
    );
    counts[to] += 1;
    changes.note(id, from, to);
  };

  return {
    add: (page) => {
      for (const trace of page) note(trace);
    },
    result: () => ({ traces, counts: { ...counts }, undetermined, ...changes.result() }),
  };
}
