import type { CalibrationReport } from '../../contract/calibration.ts';
import type { Trace } from '../../contract/traces.ts';
import { DAY_MS, epochSeconds } from '../../kernel/clock.ts';
import { betaInterval, decimals } from '../../kernel/probability.ts';
import { inputsOf } from '../answer/replay.ts';
import { predict, baselineAt } from '../belief/groups.ts';
import { MODEL, type Model } from '../belief/model.ts';
import { bounceProbability } from '../belief/posterior.ts';

/** A prediction for addresses, and how many of them hard-bounced and landed. */
export interface Prediction {
  readonly predicted: number;
  readonly bounced: number;
  readonly landed: number;
}

/** Many simultaneous refusals round to a prediction of 1, whose loss would be infinite. */
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

/** Upper ends of the bins: the verdicts' bounds, and finer steps where most mail is. The last bin includes 1. */
const BIN_ENDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9, Number.POSITIVE_INFINITY] as const;

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
      // Jeffreys' prior: without any bounce its interval would start above the observed rate.
      const [low, high] = betaInterval((bounced + 0.5) / (count + 1), count + 1);
      return { predicted: predicted / count, observed, ci: [Math.min(low, observed), Math.max(high, observed)], count };
    });
}

/** Rounds to the six decimals that answers show. */
export const shownReport = <R extends Pick<CalibrationReport, 'log_loss' | 'bins'>>(report: R): R =>
  JSON.parse(JSON.stringify(report), (_, value: unknown) => (typeof value === 'number' ? decimals(value) : value)) as R;

/** A stored answer, and what became of the message after it. */
export interface Answered {
  readonly trace: Pick<
    Trace,
    'features' | 'providers' | 'reasons' | 'context' | 'bounce_probability' | 'confidence_interval'
  >;
  readonly bounced: boolean;
}

/** How the given numbers compare with outcomes. */
export type NumbersReport = Pick<
  CalibrationReport,
  'version' | 'state' | 'outcomes' | 'hard_bounces' | 'log_loss' | 'coverage' | 'bins'
>;

/** Bins with fewer outcomes can't show whether their intervals hold. */
const COVERED_MIN = 20;

/**
 * Progressive validation: each answer as given against its later outcome, beside the table alone for the same request.
 * `isFitted`: reports move the account's numbers.
 */
export function numbersReport(
  answered: readonly Answered[],
  isFitted: boolean,
  modelOf: (version: string) => Model | null,
): NumbersReport {
  const made = answered.flatMap((each) => {
    const model = each.trace.features && modelOf(each.trace.features.model_version);
    const inputs = model && inputsOf(each.trace, model);
    return inputs === null || inputs.certain ? [] : [{ ...each, inputs }];
  });
  const outcomeOf = (bounced: boolean) => ({ bounced: bounced ? 1 : 0, landed: bounced ? 0 : 1 });
  const given = made.map(({ trace, bounced }): Prediction => ({
    predicted: trace.bounce_probability,
    ...outcomeOf(bounced),
  }));
  const byTable = made.map(({ inputs, bounced }): Prediction => {
    const { model, host, features, purpose, answers, now } = inputs;
    const predicted = bounceProbability({
      ...inputs,
      initial: predict(model, baselineAt({ host, features, purpose, now })).state,
      answers: answers.filter(({ at }) => at === now),
      reports: [],
      proofs: [],
    });
    return { predicted, ...outcomeOf(bounced) };
  });
  return {
    version: MODEL.version,
    state: isFitted ? 'fitted' : 'prior',
    outcomes: made.length,
    hard_bounces: made.filter(({ bounced }) => bounced).length,
    log_loss: { prior: logLoss(byTable), fitted: logLoss(given) },
    coverage: coverageOf(made),
    bins: reliability(given),
  };
}

/**
 * Share of outcomes in groups of neighbouring predictions whose mean interval contains the observed rate; null if too
 * few.
 */
function coverageOf(made: readonly Answered[]): number | null {
  const sorted = made.toSorted((one, other) => one.trace.bounce_probability - other.trace.bounce_probability);
  let [held, all] = [0, 0];
  for (let from = 0; from + COVERED_MIN <= sorted.length; from += COVERED_MIN) {
    const group = sorted.slice(from, from + COVERED_MIN);
    const mean = (of: (each: Answered) => number): number =>
      group.reduce((sum, each) => sum + of(each), 0) / group.length;
    const observed = mean(({ bounced }) => (bounced ? 1 : 0));
    // A group of twenty has a sampling error beside the rate's interval.
    const error = 1.645 * Math.sqrt(mean(({ trace: { bounce_probability: p } }) => p * (1 - p)) / group.length);
    const low = mean(({ trace }) => trace.confidence_interval?.[0] ?? 0) - error;
    const high = mean(({ trace }) => trace.confidence_interval?.[1] ?? 1) + error;
    all += 1;
    if (observed >= low && observed <= high) held += 1;
  }
  return all === 0 ? null : held / all;
}

type LossNight = NonNullable<CalibrationReport['log_loss_nights']>[number];

/** A quarter: long enough to show a new model and its gain. */
const NIGHTS_MAX = 90;

/**
 * Adds a run's losses to the earlier nights', oldest first. A second run of a UTC day replaces the first; a night
 * without outcomes adds nothing.
 * @param runAt epoch milliseconds
 */
export function withNight(
  earlier: readonly LossNight[],
  runAt: number,
  { prior, fitted }: CalibrationReport['log_loss'],
): LossNight[] {
  if (prior === null) return [...earlier];
  const day = epochSeconds(runAt - (runAt % DAY_MS));
  const before = earlier.filter(({ computed_at: at }) => at < day);
  return [...before, { computed_at: epochSeconds(runAt), prior, fitted }].slice(-NIGHTS_MAX);
}
