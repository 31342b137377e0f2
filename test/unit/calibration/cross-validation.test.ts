import { describe, expect, it } from 'vitest';
import { calibrate } from '../../../src/domain/calibration/calibrate.ts';
import { crossValidate, tablePredictions } from '../../../src/domain/calibration/cross-validation.ts';
import type { TracePattern } from '../../../src/domain/calibration/pattern.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { rowsAt, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { totalOf, VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { drawnAccount, patternOf } from './accounts.ts';

/** One for each fold. */
const HOSTS: readonly HostClass[] = [
  'google_business',
  'microsoft_business',
  'google_consumer',
  'zoho_business',
  'unknown_business',
];

/** ln P(answers and outcome) by the table's cells, summed over the traces. */
function tableLikelihood(patterns: readonly TracePattern[]): number {
  let sum = 0;
  for (const { host, answers, bounced, landed } of patterns) {
    let [bounces, lands, total] = [0, 0, 0];
    for (const cell of SEEDED_MODEL.prior[host]) {
      const said = answers.reduce((product, { provider, verdict }) => {
        const counts = rowsAt(SEEDED_MODEL, provider, host)[cell.answer];
        return (product * (counts[VERDICTS.indexOf(verdict)] ?? 0)) / totalOf(counts);
      }, cell.alpha);
      bounces += (said * cell.bounced) / (cell.bounced + cell.landed);
      lands += (said * cell.landed) / (cell.bounced + cell.landed);
      total += cell.alpha;
    }
    sum += bounced.weight * Math.log(bounces / total) + landed.weight * Math.log(lands / total);
  }
  return sum;
}

describe('a fit held against addresses that it has not seen', () => {
  it('has the table’s word on a host that only they have', () => {
    const apart = drawnAccount(3, 200).map((pattern): TracePattern => ({
      ...pattern,
      host: HOSTS[pattern.fold] ?? 'relay',
    }));
    const { logLikelihood, predictions } = crossValidate(SEEDED_MODEL, apart, 1);
    expect(logLikelihood).toBeCloseTo(tableLikelihood(apart), 6);
    expect(predictions).toHaveLength(200);
    expect(predictions).toEqual(tablePredictions(SEEDED_MODEL, apart));
  });

  it('foretells nothing of traces without an outcome', () => {
    const silent = patternOf({ host: 'google_business', answers: [] }, 0, 0).map((each) => ({ ...each, weight: 3 }));
    expect(tablePredictions(SEEDED_MODEL, silent)).toEqual([]);
    expect(crossValidate(SEEDED_MODEL, silent, 1).predictions).toEqual([]);
    expect(calibrate(silent).report).toMatchObject({ log_loss: { prior: null, fitted: null }, bins: [] });
  });
});
