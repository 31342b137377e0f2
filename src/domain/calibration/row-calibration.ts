import { DAY_MS } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { filtered, firstWeights } from '../verification/filter.ts';
import type { DeliveryClass } from '../verification/history.ts';
import type { HistoryTable, Seen } from '../verification/history-table.ts';
import { tablesAt } from '../verification/host-tables.ts';
import type { Model } from '../verification/model.ts';
import { bounceOf } from '../verification/posterior.ts';
import { sightingsOf } from '../verification/sightings.ts';
import { withAcceptsAllLevel } from './accepts-all-level.ts';
import type { Prediction } from './cross-validation.ts';
import { withListLevel } from './list-level.ts';
import { FOLDS } from './pattern.ts';
import { excessLoss, isClearlyLess, type Mean, meanLoss } from './reliability.ts';
import { reportErrors } from './report-errors.ts';
import { type FitRow, firstOf, logLikelihoodOf, type PreparedRow, prepared } from './row-counts.ts';
import { fitRows } from './row-fit.ts';
import { sharedMistakes } from './shared-mistakes.ts';
import { withVarianceFactor } from './variance-factor.ts';

/** How sure a fit may be of the table, in multiples of its own precision. */
const TRUSTS = [3, 10, 30] as const;

/** With fewer outcomes no fit is adopted. */
const ENOUGH = { outcomes: 200, hardBounces: 10 } as const;

/** What a report says of whether mail bounces; null: too little to hold a prediction against. */
const BOUNCED: Readonly<Record<DeliveryClass, boolean | null>> = {
  user_unknown: true,
  refused: true,
  full: null,
  soft: null,
  delivered: false,
  complaint: false,
};

/** P(the report says that mail bounced | mail bounces, or lands), among reports that say either. */
function saidToBounce({ history }: Model, of: 'lands' | 'bounces', source: string): number {
  const said = (state: 'lands' | 'bounces'): number => {
    let [bounced, total] = [0, 0];
    for (const [name, rates] of Object.entries(history.reports) as [DeliveryClass, Seen][]) {
      if (BOUNCED[name] === null) continue;
      total += rates[state];
      if (BOUNCED[name]) bounced += rates[state];
    }
    return bounced / total;
  };
  const wrong = history.sources[source] ?? 0;
  return (1 - wrong) * said(of) + wrong * said(of === 'lands' ? 'bounces' : 'lands');
}

/** What a prediction may read beside the answers of the same day: the address's own past, its domain, its list. */
interface Reading {
  readonly address: boolean;
  readonly domain: boolean;
  readonly list: boolean;
}
const EVERYTHING: Reading = { address: true, domain: true, list: true };
const NO_HISTORY: Reading = { address: false, domain: false, list: false };

/** Answers so long before a report may have been bought for its message. */
const SAME_REQUEST_MS = DAY_MS;

/** What a model would have said of each report of a row before it came, and what the report said. */
function predictionsOf(model: Model, whole: PreparedRow, reading: Reading): Prediction[] {
  const row = { ...whole, domain: reading.domain ? whole.domain : null, list: reading.list ? whole.list : null };
  const { host, answers, reports } = row.address;
  const told = reports.filter((report) => BOUNCED[report.class] !== null);
  if (told.length === 0) return [];
  const weights = firstWeights(firstOf(model, row));
  return told.map((report) => {
    const before = {
      answers: answers.filter(({ at }) => at <= report.at && (reading.address || report.at - at < SAME_REQUEST_MS)),
      reports: reading.address ? reports.filter(({ at }) => at < report.at) : [],
      proofs: [],
    };
    const sightings = sightingsOf(model, host, before, report.at);
    const bounces = bounceOf(filtered(tablesAt(model, host), sightings, report.at), weights);
    const bounced = BOUNCED[report.class] ? 1 : 0;
    const [falsely, truly] = [
      saidToBounce(model, 'lands', report.source),
      saidToBounce(model, 'bounces', report.source),
    ];
    return { predicted: bounces * truly + (1 - bounces) * falsely, bounced, landed: 1 - bounced };
  });
}

const predictions = (model: Model, rows: readonly PreparedRow[], reading = EVERYTHING): Prediction[] =>
  rows.flatMap((row) => predictionsOf(model, row, reading));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

export interface RowCalibration {
  /** The fit; null: too few outcomes. */
  readonly fitted: Model | null;
  /** Of the fit. */
  readonly trust: number | null;
  /** Share of reports that say the wrong thing, of sources that err clearly. They are in the fit too. */
  readonly sources: HistoryTable['sources'];
  /** The table with the account's lists and catch-alls where they lie, its intervals as wide as it lies far, and with what sources err. */
  readonly table: Model;
  readonly isAdopted: boolean;
  readonly outcomes: number;
  readonly hardBounces: number;
  /** What the fit loses on outcomes it has not seen beyond what the table loses; null: not fitted. */
  readonly excess: Mean | null;
  /** Of the table and of the fit, on outcomes that neither has seen. */
  readonly predictions: { readonly table: readonly Prediction[]; readonly fitted: readonly Prediction[] | null };
  readonly worth: HistoryWorth | null;
}

/** What the history is worth: the table's loss on reports, by what it reads of what was known before each. */
export type HistoryWorth = Readonly<Record<'without' | 'address' | 'domain' | 'list' | 'all', number>>;

/** @param rows with an outcome among them */
function worthOf(model: Model, rows: readonly PreparedRow[]): HistoryWorth {
  const loss = (reading: Reading): number => meanLoss(predictions(model, rows, reading));
  return {
    without: loss(NO_HISTORY),
    address: loss({ ...NO_HISTORY, address: true }),
    domain: loss({ ...NO_HISTORY, domain: true }),
    list: loss({ ...NO_HISTORY, list: true }),
    all: loss(EVERYTHING),
  };
}

/**
 * Fits the rows, and holds the fit against outcomes of addresses that it has not seen. It is adopted where it loses less than the
 * table, with what sources err and where the account's lists and catch-alls lie, by at least one standard error.
 * Each fold's fit sees four fifths of the addresses, and the share of
 * mistakes that all vendors share, which is one of six, comes of all.
 */
export function calibrateRows(table: Model, sample: readonly FitRow[], now: number): RowCalibration {
  const rows = prepared(sample, now);
  const levelled = withVarianceFactor(withAcceptsAllLevel(withListLevel(table, sample, now), rows), rows);
  const sources = reportErrors(levelled, rows);
  const unmoved = { ...levelled, history: { ...levelled.history, sources } };
  const rowsIn = (fold: number): PreparedRow[] => rows.filter((row) => row.fold === fold);
  const folds = Array.from({ length: FOLDS }, (_, fold) => rowsIn(fold));
  const unfitted = folds.flatMap((fold) => predictions(unmoved, fold));
  const counted = {
    outcomes: unfitted.length,
    hardBounces: sumOf(unfitted.map(({ bounced }) => bounced)),
    worth: unfitted.length === 0 ? null : worthOf(unmoved, rows),
    sources,
    table: unmoved,
  };
  const none = { fitted: null, trust: null, isAdopted: false, excess: null };
  if (counted.outcomes < ENOUGH.outcomes || counted.hardBounces < ENOUGH.hardBounces)
    return { ...none, predictions: { table: unfitted, fitted: null }, ...counted };
  // A fit's own counts say how sure its figures are.
  const seed = {
    ...unmoved,
    history: { ...unmoved.history, varianceFactor: 1, mistaken: sharedMistakes(unmoved, rows) },
  };
  const without = (fold: number, trust: number): Model =>
    fitRows(
      seed,
      rows.filter((row) => row.fold !== fold),
      trust,
    );
  const trials = TRUSTS.map((trust) => {
    const model = without(0, trust);
    return { trust, model, likelihood: sumOf(rowsIn(0).map((row) => logLikelihoodOf(model, row))) };
  });
  const best = trials.reduce((one, other) => (other.likelihood > one.likelihood ? other : one));
  const unseen = folds.flatMap((fold, at) => predictions(at === 0 ? best.model : without(at, best.trust), fold));
  const excess = excessLoss(unseen, unfitted);
  const model = fitRows(seed, rows, best.trust);
  const version = `rows-${sha256Hex(JSON.stringify(model)).slice(0, 16)}`;
  return {
    fitted: { ...model, version },
    trust: best.trust,
    isAdopted: isClearlyLess(excess),
    excess,
    predictions: { table: unfitted, fitted: unseen },
    ...counted,
  };
}
