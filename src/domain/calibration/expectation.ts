import { PROVIDER_IDS } from '../verification/provider.ts';
import { VERDICTS } from '../verification/provider-table.ts';
import type { TracePattern } from './pattern.ts';
import { ANSWER_OF_CELL, ANSWERS, CELLS, columnAt, type HostCounts, noCounts } from './tables.ts';

/** The probabilities of a host class, laid out like `HostCounts`. */
export interface HostRates {
  readonly shares: Float64Array;
  readonly bounceRates: Float64Array;
  readonly rows: Float64Array;
}

/** A pattern prepared for many passes. */
export interface Observed {
  /** Where in the rows the numbers of each answer begin. */
  readonly columns: readonly number[];
  readonly acceptsAllOdds: number;
  readonly silent: number;
  readonly bounced: number;
  readonly landed: number;
}

export function observed({ answers, acceptsAllOdds, weight, bounced, landed }: TracePattern): Observed {
  const column = ({ provider, verdict }: TracePattern['answers'][number]): number =>
    columnAt(PROVIDER_IDS.indexOf(provider), VERDICTS.indexOf(verdict));
  return {
    columns: answers.map(column),
    acceptsAllOdds,
    silent: Math.max(0, weight - bounced.weight - landed.weight),
    bounced: bounced.weight,
    landed: landed.weight,
  };
}

/** Writes the joint probability of each cell and the answers into `joint`; returns the sums with a bounce and without. */
function jointWith(rates: HostRates, { columns, acceptsAllOdds }: Observed, joint: Float64Array, said: Float64Array) {
  said.fill(1);
  for (const column of columns)
    for (let answer = 0; answer < ANSWERS.length; answer += 1)
      said[answer] = (said[answer] ?? 0) * (rates.rows[column + answer] ?? 0);
  let [bounces, lands, prior] = [0, 0, 0];
  for (let cell = 0; cell < CELLS.length; cell += 1) {
    const share = (rates.shares[cell] ?? 0) * (CELLS[cell]?.acceptsAll === true ? acceptsAllOdds : 1);
    const mass = share * (said[ANSWER_OF_CELL[cell] ?? 0] ?? 0);
    const rate = rates.bounceRates[cell] ?? 0;
    joint[cell] = mass;
    prior += share;
    bounces += mass * rate;
    lands += mass * (1 - rate);
  }
  return { bounces, lands, prior };
}

/**
 * The E step: divides every trace of a host over the cells by its posterior, and adds the parts up. `squared` adds up the
 * squares of the parts: a trace torn between two cells says less about each than its part.
 */
export function expectedCounts(rates: HostRates, patterns: readonly Observed[], squared: boolean): HostCounts {
  const counts = noCounts();
  const joint = new Float64Array(CELLS.length);
  const perAnswer = new Float64Array(ANSWERS.length);
  for (const pattern of patterns) {
    const { columns, silent, bounced, landed } = pattern;
    const { bounces, lands } = jointWith(rates, pattern, joint, perAnswer);
    perAnswer.fill(0);
    for (let cell = 0; cell < CELLS.length; cell += 1) {
      const mass = joint[cell] ?? 0;
      const rate = rates.bounceRates[cell] ?? 0;
      const [ofSilent, ofBounced, ofLanded] = [
        mass / (bounces + lands),
        (mass * rate) / bounces,
        (mass * (1 - rate)) / lands,
      ];
      const hit = bounced * (squared ? ofBounced * ofBounced : ofBounced);
      const missed = landed * (squared ? ofLanded * ofLanded : ofLanded);
      const all = hit + missed + silent * (squared ? ofSilent * ofSilent : ofSilent);
      counts.shares[cell] = (counts.shares[cell] ?? 0) + all;
      counts.bounced[cell] = (counts.bounced[cell] ?? 0) + hit;
      counts.landed[cell] = (counts.landed[cell] ?? 0) + missed;
      const answer = ANSWER_OF_CELL[cell] ?? 0;
      perAnswer[answer] = (perAnswer[answer] ?? 0) + all;
    }
    for (const column of columns)
      for (let answer = 0; answer < ANSWERS.length; answer += 1)
        counts.rows[column + answer] = (counts.rows[column + answer] ?? 0) + (perAnswer[answer] ?? 0);
  }
  return counts;
}

/** ln P(answers and outcomes), summed over the traces. */
export function logLikelihood(rates: HostRates, patterns: readonly Observed[]): number {
  const joint = new Float64Array(CELLS.length);
  const perAnswer = new Float64Array(ANSWERS.length);
  let sum = 0;
  for (const pattern of patterns) {
    const { silent, bounced, landed } = pattern;
    const { bounces, lands, prior } = jointWith(rates, pattern, joint, perAnswer);
    sum += silent * Math.log((bounces + lands) / prior);
    sum += bounced * Math.log(bounces / prior) + landed * Math.log(lands / prior);
  }
  return sum;
}

/** The bounce probability of an address before its outcome. */
export function bounceProbabilityOf(rates: HostRates, pattern: Observed): number {
  const { bounces, lands } = jointWith(
    rates,
    pattern,
    new Float64Array(CELLS.length),
    new Float64Array(ANSWERS.length),
  );
  return bounces / (bounces + lands);
}
