import type { CalibrationReport } from '../../contract/calibration.ts';
import { betaInterval, decimals } from '../../kernel/probability.ts';
import type { Prediction } from './cross-validation.ts';

/** Mean and standard error of a quantity with one value where mail bounced and another where it landed. */
export interface Mean {
  readonly mean: number;
  readonly standardError: number;
}

function meanOf(rows: readonly { readonly value: number; readonly count: number }[]): Mean {
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const mean = rows.reduce((sum, row) => sum + row.count * row.value, 0) / count;
  const spread = rows.reduce((sum, row) => sum + row.count * (row.value - mean) ** 2, 0);
  return { mean, standardError: Math.sqrt(spread) / count };
}

/** Many refusals at one instant round to a prediction of 1, whose loss would have no end. */
const CERTAIN = 1 - 2 ** -52;
const lossIfLanded = (predicted: number): number => -Math.log1p(-Math.min(predicted, CERTAIN));

/** Mean natural-log loss over outcomes, of which there are some. */
export const meanLoss = (predictions: readonly Prediction[]): number =>
  meanOf(
    predictions.flatMap(({ predicted, bounced, landed }) => [
      { value: -Math.log(predicted), count: bounced },
      { value: lossIfLanded(predicted), count: landed },
    ]),
  ).mean;

/** The same; null without any. */
export const logLoss = (predictions: readonly Prediction[]): number | null =>
  predictions.length === 0 ? null : meanLoss(predictions);

/** How much more the predictions lose than the others on the same outcomes, in the same order. */
export const excessLoss = (predictions: readonly Prediction[], others: readonly Prediction[]): Mean =>
  meanOf(
    predictions.flatMap(({ predicted, bounced, landed }, at) => {
      const other = others[at]?.predicted ?? predicted;
      return [
        { value: Math.log(other / predicted), count: bounced },
        { value: lossIfLanded(predicted) - lossIfLanded(other), count: landed },
      ];
    }),
  );

/** Whether predictions lose less than the others by at least one standard error: a fit has to be better to be adopted. */
export const isClearlyLess = ({ mean, standardError }: Mean): boolean => mean < 0 && mean + standardError <= 0;

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
