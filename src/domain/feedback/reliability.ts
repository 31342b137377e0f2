import type { CalibrationReport } from '../../contract/calibration.ts';
import { betaInterval, decimals } from '../../kernel/probability.ts';

/** What was predicted for addresses, and how many of them hard-bounced and landed. */
export interface Prediction {
  readonly predicted: number;
  readonly bounced: number;
  readonly landed: number;
}

/** Many refusals at one instant round to a prediction of 1, whose loss would have no end. */
const CERTAIN = 1 - 2 ** -52;
const lossIfLanded = (predicted: number): number => -Math.log1p(-Math.min(predicted, CERTAIN));

/** Mean natural-log loss over outcomes; null without any. */
export function logLoss(predictions: readonly Prediction[]): number | null {
  let [sum, count] = [0, 0];
  for (const { predicted, bounced, landed } of predictions) {
    sum += bounced * -Math.log(predicted) + landed * lossIfLanded(predicted);
    count += bounced + landed;
  }
  return count === 0 ? null : sum / count;
}

/** Upper ends of the bins: the verdicts' bounds, and finer steps where most mail lies. The last bin has 1 too. */
const BIN_ENDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9, Number.POSITIVE_INFINITY] as const;

/** The bins that hold outcomes, by rising prediction. */
export function reliability(predictions: readonly Prediction[]): CalibrationReport['bins'] {
  const binOf = ({ predicted }: Prediction): number => BIN_ENDS.findIndex((end) => predicted < end);
  return [...Map.groupBy(predictions, binOf)]
    .sort(([one], [other]) => one - other)
    .map(([, members]) => {
      let [count, bounced, predicted] = [0, 0, 0];
      for (const member of members) {
        const size = member.bounced + member.landed;
        count += size;
        bounced += member.bounced;
        predicted += size * member.predicted;
      }
      const observed = bounced / count;
      // Jeffreys' prior: without any bounce its interval begins above the observed rate.
      const [low, high] = betaInterval((bounced + 0.5) / (count + 1), count + 1);
      return { predicted: predicted / count, observed, ci: [Math.min(low, observed), Math.max(high, observed)], count };
    });
}

/** The report with its numbers rounded to the six decimals that answers show. */
export const shownReport = <R extends Pick<CalibrationReport, 'log_loss' | 'bins'>>(report: R): R =>
  JSON.parse(JSON.stringify(report), (_, value: unknown) => (typeof value === 'number' ? decimals(value) : value)) as R;
