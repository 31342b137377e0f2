import type { CalibrationReport } from '../../contract/calibration.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { type Model, SEEDED_MODEL } from '../verification/model.ts';
import { crossValidate, type Prediction, tablePredictions } from './cross-validation.ts';
import { fit } from './fit.ts';
import { fittedTables } from './fitted-model.ts';
import type { TracePattern } from './pattern.ts';
import { excessLoss, logLoss, reliability } from './reliability.ts';

/** Below them nothing is fitted: a handful of bounces would move every address of the account. */
const ADOPTION = { outcomes: 200, hardBounces: 10 } as const;

/**
 * How sure of the table a fit may be, in multiples of the table's own weights: these say how far published figures are from
 * each other, and an account may be closer to them than that, or no closer. Light to heavy.
 */
const TRUSTS = [1, 3, 10] as const;

/** Of two trusts the one under which unseen traces are so many times less likely is ruled out: 100, in natural logarithms. */
const RULED_OUT = Math.log(100);

/**
 * The fit, however few outcomes there are, and what it foretells of those it has not seen. Careful both ways: of the trusts
 * not ruled out the heaviest has the means, which stay near the table, and the lightest the widths.
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
  return { model: { version, calibration: 'fitted', ...tables }, predictions: heaviest.predictions };
}

export interface Calibrated {
  /** What the account's beliefs are made from until the next run. The same traces give the same version. */
  readonly model: Model;
  /** The fit, adopted or not; null while there are too few outcomes. */
  readonly candidate: Model | null;
  readonly report: Omit<CalibrationReport, 'computed_at'>;
}

/**
 * The model of an account from its traces and outcomes, and how it compares with the table. A fit is adopted when there are
 * outcomes enough, and on outcomes it has not seen it loses at most one standard error more than the table.
 */
export function calibrate(patterns: readonly TracePattern[]): Calibrated {
  const outcomes = patterns.reduce((sum, { bounced, landed }) => sum + bounced.count + landed.count, 0);
  const hardBounces = patterns.reduce((sum, { bounced }) => sum + bounced.count, 0);
  const table = tablePredictions(SEEDED_MODEL, patterns);
  const enough = outcomes >= ADOPTION.outcomes && hardBounces >= ADOPTION.hardBounces;
  const fitted = enough ? fittedModel(SEEDED_MODEL, patterns) : null;
  const excess = fitted === null ? null : excessLoss(fitted.predictions, table);
  const adopted = fitted !== null && excess !== null && excess.mean <= excess.standardError ? fitted : null;
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
