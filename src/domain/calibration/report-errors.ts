import { zeros } from '../../kernel/vector.ts';
import { filtered, firstWeights } from '../verification/filter.ts';
import { multiplied } from '../verification/first-state.ts';
import type { HistoryTable } from '../verification/history-table.ts';
import { tablesAt } from '../verification/host-tables.ts';
import type { Model } from '../verification/model.ts';
import { sayingOf } from '../verification/report-gate.ts';
import { sightingsOf } from '../verification/sightings.ts';
import { firstOf, likelihoodsOf, type PreparedRow } from './row-counts.ts';

/**
 * A source is looked at with so many reports, and where it reports deliveries at all: of one that reports refusals alone, the deliveries
 * that it keeps to itself would count as mistakes.
 */
const ENOUGH = { reports: 40, deliveries: 0.5 } as const;
/** Addresses read for a source; more change little. */
const ROWS_MAX = 1_000;

/** Shares of reports that say the wrong thing. */
const ERRORS = [0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5] as const;
/** Most sources are right: as if twenty reports had been. */
const RIGHT = 20;
/**
 * Factors on the odds that an address of the source bounces. Each share of errors has the one that suits it best, since a list
 * may be half dead without any liar. Close together: a rate between two of them would look like one of them and some errors.
 */
const ODDS = Array.from({ length: 14 }, (_, at) => 0.1 * 10 ** (at / 5));
/** How much likelier the errors have to make what was seen: twenty times. */
const CLEARLY = Math.log(20);

const wrongBy = (model: Model, sources: HistoryTable['sources']): Model => ({
  ...model,
  history: { ...model.history, sources },
});

/** At most so many, each once, and equally spaced, so that no order of the rows matters. */
export const some = <Row>(rows: readonly Row[], most: number): Row[] =>
  rows.filter((_, at) => Math.floor(((at + 1) * most) / rows.length) > Math.floor((at * most) / rows.length));

/** A row with P(kind of domain, first) under each factor on the odds: what its source errs in does not change them. */
interface WeightedRow {
  readonly row: PreparedRow;
  readonly byOdds: readonly (readonly number[])[];
}

const weighted = (seed: Model, rows: readonly PreparedRow[]): WeightedRow[] =>
  rows.map((row) => {
    const first = firstOf(seed, row);
    return { row, byOdds: ODDS.map((odds) => firstWeights(multiplied(first, odds))) };
  });

/** ln P(what was seen of the rows), by factor on the odds. */
function sumsByOdds(model: Model, rows: readonly WeightedRow[]): number[] {
  const sums = zeros(ODDS.length);
  for (const { row, byOdds } of rows) {
    const { host, answers, proofs } = row.address;
    const seen = sightingsOf(model, host, { answers, reports: row.allReports, proofs }, row.now);
    const ifFirst = likelihoodsOf(filtered(tablesAt(model, host), seen, null));
    byOdds.forEach((weights, at) => {
      const likely = weights.reduce((sum, share, state) => sum + share * (ifFirst[state] ?? 0), 0);
      sums[at] = (sums[at] ?? 0) + Math.log(likely);
    });
  }
  return sums;
}

/** The likeliest share of errors; 0 unless it is clear. `logs`: ln P(what was seen) by share of errors and factor on the odds. */
function clearErrors(logs: readonly (readonly number[])[]): number {
  const scores = logs.map((ofShare, at) => Math.max(...ofShare) + (RIGHT - 1) * Math.log1p(-(ERRORS[at] ?? 0)));
  const best = Math.max(...scores);
  return best - (scores[0] ?? best) < CLEARLY ? 0 : (ERRORS[scores.indexOf(best)] ?? 0);
}

/**
 * The share of a source's reports that say the wrong thing, by what it has reported alone and beside addresses without a report: the
 * lesser. Alone, an account that mails what looks good seems to have hardly an address that bounces, and each bounce a mistake. Beside
 * others, a source whose addresses no vendor was asked about seems to have as few as they, and each bounce a mistake.
 */
function errorsOf(
  seed: Model,
  source: string,
  reported: readonly PreparedRow[],
  unreported: readonly PreparedRow[],
): number {
  const own = weighted(seed, reported);
  const alone = ERRORS.map((share) => sumsByOdds(wrongBy(seed, { [source]: share }), own));
  const errors = clearErrors(alone);
  if (errors === 0) return 0;
  const others = sumsByOdds(seed, weighted(seed, unreported));
  return Math.min(errors, clearErrors(alone.map((sums) => sums.map((sum, at) => sum + (others[at] ?? 0)))));
}

/**
 * How often each source says the wrong thing of a message, where that is clear from what else is known of the addresses: vendors'
 * answers, proofs of life, other sources.
 */
export function reportErrors(seed: Model, rows: readonly PreparedRow[]): HistoryTable['sources'] {
  const unreported = rows.filter(({ allReports }) => allReports.length === 0);
  /** As many addresses without a report for each with one as in the whole account. */
  const perReported = unreported.length / (rows.length - unreported.length);
  const bySource = new Map<string, { readonly rows: Set<PreparedRow>; delivered: number; refused: number }>();
  for (const row of rows)
    for (const report of row.allReports) {
      const of = bySource.get(report.source) ?? { rows: new Set(), delivered: 0, refused: 0 };
      bySource.set(report.source, of);
      const saying = sayingOf(report);
      if (saying === null) continue;
      of.rows.add(row);
      of[saying] += 1;
    }
  return Object.fromEntries(
    [...bySource].flatMap(([source, { rows: own, delivered, refused }]) => {
      if (delivered + refused < ENOUGH.reports || delivered < ENOUGH.deliveries * refused) return [];
      const reported = some([...own], ROWS_MAX);
      const beside = some(unreported, Math.round(perReported * reported.length));
      const errors = errorsOf(seed, source, reported, beside);
      return errors === 0 ? [] : [[source, errors]];
    }),
  );
}
