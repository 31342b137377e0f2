import type { CalibrationReport } from '../../contract/calibration.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { type Model, SEEDED_MODEL } from '../verification/model.ts';
import { crossValidate, type Prediction, tablePredictions } from './cross-validation.ts';
import { fit } from './fit.ts';
import { fittedTables } from './fitted-model.ts';
import type { TracePattern } from './pattern.ts';
import { excessLoss, isClearlyLess, logLoss, reliability } from './reliability.ts';

/** With fewer, no fit is adopted: a handful of bounces would move every address of the account. */
const ADOPTION = { outcomes: 200, hardBounces: 10 } as const;

/**
 * How sure a fit may be of the table, in multiples of the table's own weights, light to heavy. The weights say how far
 * published figures lie apart; an account may be closer to the table than that.
 */
const TRUSTS = [1, 3, 10] as const;

/** A trust that makes unseen traces 100 times less likely than another is ruled out; in natural logarithms. */
const RULED_OUT = Math.log(100);

/**
 * The fit, however few outcomes it has, and its predictions for those it has not seen. It is careful both ways: the
 * heaviest trust that is not ruled out gives the means, which stay near the table, and the lightest gives the widths.
 */
export function fittedModel(
  seed: Model,
  patterns: readonly TracePattern[],
): { readonly model: Model; readonly predictions: readonly Prediction[] } {
  const trials = TRUSTS.map((trust) => crossValidate(seed, patterns, trust));
  const best = Math.max(...trials.map(({ logLikelihood }) => logLikelihood));
  const left = trials.filter(({ logLikelihood }) => best - logLikelihood <= RULED_OUT);
  const [lightest, heaviest] = [left[0], left.at(-1)];
  if (lightest === undefined || heaviest === undefined) throw new Error('the likeliest is never ruled out');
  const tables = fittedTables(seed, fit(seed, patterns, heaviest.trust), lightest.trust);
  const version = `fit-${sha256Hex(JSON.stringify(tables)).slice(0, 16)}`;
  return {
    model: { version, calibration: 'fitted', ...tables, history: seed.history, centre: seed.centre },
    predictions: heaviest.predictions,
  };
}

export interface Calibrated {
  /** The model in force until the next run. The same traces give the same version. */
  readonly model: Model;
  /** The fit, adopted or not; null while there are too few outcomes. */
  readonly candidate: Model | null;
  readonly report: FitReport;
}

/** What the outcomes themselves tell. */
export type FitReport = Omit<CalibrationReport, 'computed_at' | 'missing' | 'sources' | 'sends' | 'routing'>;

/** What a run finds. */
export type StoredReport = FitReport &
  Partial<Pick<CalibrationReport, 'sources' | 'sends' | 'routing' | 'log_loss_nights'>>;

/** How many more outcomes a fit takes. */
export const missingOutcomes = (
  report: Pick<FitReport, 'outcomes' | 'hard_bounces'>,
): CalibrationReport['missing'] => ({
  outcomes: Math.max(0, ADOPTION.outcomes - report.outcomes),
  hard_bounces: Math.max(0, ADOPTION.hardBounces - report.hard_bounces),
});

/**
 * The model of an account from its traces and outcomes, and how it compares with the table. A fit is adopted when it has
 * enough outcomes and, on outcomes it has not seen, loses less than the table by at least one standard error.
 */
export function calibrate(patterns: readonly TracePattern[]): Calibrated {
  const outcomes = patterns.reduce((sum, { bounced, landed }) => sum + bounced.count + landed.count, 0);
  const hardBounces = patterns.reduce((sum, { bounced }) => sum + bounced.count, 0);
  const table = tablePredictions(SEEDED_MODEL, patterns);
  const enough = outcomes >= ADOPTION.outcomes && hardBounces >= ADOPTION.hardBounces;
  const fitted = enough ? fittedModel(SEEDED_MODEL, patterns) : null;
  const adopted = fitted !== null && isClearlyLess(excessLoss(fitted.predictions, table)) ? fitted : null;
  const model = adopted?.model ?? SEEDED_MODEL;
  return {
    model,
    candidate: fitted?.model ?? null,
    report: {
      version: model.version,
      state: model.calibration,
      outcomes,
      hard_bounces: hardBounces,
      log_loss: { prior: logLoss(table), fitted: fitted === null ? null : logLoss(fitted.predictions) },
      bins: reliability(adopted?.predictions ?? table),
    },
  };
}
