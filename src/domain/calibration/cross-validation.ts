import type { HostClass } from '../verification/host-class.ts';
import type { Model } from '../verification/model.ts';
import { bounceProbabilityOf, type HostRates, logLikelihood, observed } from './expectation.ts';
import { type Fit, fit, tableRates } from './fit.ts';
import { FOLDS, type TracePattern } from './pattern.ts';

/** Outcomes of one pattern, and what was predicted for them. */
export interface Prediction {
  readonly predicted: number;
  readonly bounced: number;
  readonly landed: number;
}

const outcomesOf = (patterns: readonly TracePattern[]): TracePattern[] =>
  patterns.filter(({ bounced, landed }) => bounced.count + landed.count > 0);

function predictions(ratesAt: (host: HostClass) => HostRates, patterns: readonly TracePattern[]): Prediction[] {
  return outcomesOf(patterns).map((pattern) => ({
    predicted: bounceProbabilityOf(ratesAt(pattern.host), observed(pattern)),
    bounced: pattern.bounced.count,
    landed: pattern.landed.count,
  }));
}

/** The seeded table's predictions, in the order of the folds. */
export const tablePredictions = (seed: Model, patterns: readonly TracePattern[]): Prediction[] =>
  byFold(patterns).flatMap((left) => predictions((host) => tableRates(seed, host), left));

const byFold = (patterns: readonly TracePattern[]): TracePattern[][] =>
  Array.from({ length: FOLDS }, (_, fold) => patterns.filter((pattern) => pattern.fold === fold));

export interface CrossValidation {
  readonly trust: number;
  /** ln P of answers and outcomes under a fit that has not seen them. */
  readonly logLikelihood: number;
  /** In the order of the folds, like the table's. */
  readonly predictions: readonly Prediction[];
}

/** How a fit that trusts the table `trust` times does on addresses it has not seen. */
export function crossValidate(seed: Model, patterns: readonly TracePattern[], trust: number): CrossValidation {
  const ratesOf =
    ({ hosts }: Fit) =>
    (host: HostClass) =>
      hosts.get(host)?.rates ?? tableRates(seed, host);
  const folds = byFold(patterns).map((left, fold) => {
    const ratesAt = ratesOf(
      fit(
        seed,
        patterns.filter((pattern) => pattern.fold !== fold),
        trust,
      ),
    );
    const said = left.reduce((sum, pattern) => sum + logLikelihood(ratesAt(pattern.host), [observed(pattern)]), 0);
    return { said, predicted: predictions(ratesAt, left) };
  });
  return {
    trust,
    logLikelihood: folds.reduce((sum, { said }) => sum + said, 0),
    predictions: folds.flatMap(({ predicted }) => predicted),
  };
}
