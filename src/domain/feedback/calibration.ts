import type { CalibrationReport } from '../../contract/calibration.ts';
import type { Trace } from '../../contract/traces.ts';
import { inputsOf } from '../answer/replay.ts';
import { predict, strangerAt } from '../belief/groups.ts';
import { MODEL, type Model } from '../belief/model.ts';
import { bounceProbability } from '../belief/posterior.ts';
import { logLoss, type Prediction, reliability } from './reliability.ts';

/** An answer as its trace keeps it, and what became of the message after it. */
export interface Answered {
  readonly trace: Pick<
    Trace,
    'features' | 'providers' | 'reasons' | 'context' | 'bounce_probability' | 'confidence_interval'
  >;
  readonly bounced: boolean;
}

/** What a run finds of the numbers that were given. */
export type NumbersReport = Pick<
  CalibrationReport,
  'version' | 'state' | 'outcomes' | 'hard_bounces' | 'log_loss' | 'coverage' | 'bins'
>;

/** Bins with fewer outcomes say nothing of whether their intervals hold. */
const COVERED_MIN = 20;

/**
 * Progressive validation: each answer as it was given, held against the outcome that came after it, beside what the table alone
 * says of the same request. `isFitted`: reports move the account's numbers.
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
      initial: predict(model, strangerAt({ host, features, purpose, now })).state,
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

/** Share of outcomes in groups of neighbouring predictions whose mean interval holds the rate that was observed; null: too few. */
function coverageOf(made: readonly Answered[]): number | null {
  const sorted = made.toSorted((one, other) => one.trace.bounce_probability - other.trace.bounce_probability);
  let [held, all] = [0, 0];
  for (let from = 0; from + COVERED_MIN <= sorted.length; from += COVERED_MIN) {
    const group = sorted.slice(from, from + COVERED_MIN);
    const mean = (of: (each: Answered) => number): number =>
      group.reduce((sum, each) => sum + of(each), 0) / group.length;
    const observed = mean(({ bounced }) => (bounced ? 1 : 0));
    // A group of twenty has a sampling error of its own beside the interval of the rate.
    const error = 1.645 * Math.sqrt(mean(({ trace: { bounce_probability: p } }) => p * (1 - p)) / group.length);
    const low = mean(({ trace }) => trace.confidence_interval?.[0] ?? 0) - error;
    const high = mean(({ trace }) => trace.confidence_interval?.[1] ?? 1) + error;
    all += 1;
    if (observed >= low && observed <= high) held += 1;
  }
  return all === 0 ? null : held / all;
}
