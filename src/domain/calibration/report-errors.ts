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
 * may be half dead without any liar.
 */
const ODDS = [0.1, 0.3, 1, 3, 10, 30] as const;
/** How much likelier the errors have to make what was seen: twenty times. */
const CLEARLY = Math.log(20);

const wrongBy = (model: Model, sources: HistoryTable['sources']): Model => ({
  ...model,
  history: { ...model.history, sources },
});

/** ln P(what was seen of the rows), by share of errors and factor on the odds. */
function likelihoods(seed: Model, rows: readonly PreparedRow[], source: string): number[][] {
  const models = ERRORS.map((share) => wrongBy(seed, { [source]: share }));
  const sums = ERRORS.map(() => ODDS.map(() => 0));
  for (const row of rows) {
    const { host, answers, proofs } = row.address;
    const first = firstOf(seed, row);
    const weights = ODDS.map((odds) => firstWeights(multiplied(first, odds)));
    const seen = { answers, reports: row.allReports, proofs };
    models.forEach((model, at) => {
      const ifFirst = likelihoodsOf(filtered(tablesAt(model, host), sightingsOf(model, host, seen, row.now), null));
      const ofShare = sums[at] ?? [];
      weights.forEach((weight, place) => {
        const likely = weight.reduce((sum, share, state) => sum + share * (ifFirst[state] ?? 0), 0);
        ofShare[place] = (ofShare[place] ?? 0) + Math.log(likely);
      });
    });
  }
  return sums;
}

/** The share of a source's reports that say the wrong thing; 0 unless that is clear. */
function errorsOf(seed: Model, rows: readonly PreparedRow[], source: string): number {
  const scores = likelihoods(seed, rows, source).map(
    (ofShare, at) => Math.max(...ofShare) + (RIGHT - 1) * Math.log1p(-(ERRORS[at] ?? 0)),
  );
  const best = Math.max(...scores);
  return best - (scores[0] ?? best) < CLEARLY ? 0 : (ERRORS[scores.indexOf(best)] ?? 0);
}

/**
 * How often each source says the wrong thing of a message, where that is clear from what else is known of the addresses: vendors'
 * answers, proofs of life, other sources.
 */
export function reportErrors(seed: Model, rows: readonly PreparedRow[]): HistoryTable['sources'] {
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
      const errors = errorsOf(seed, [...own].slice(0, ROWS_MAX), source);
      return errors === 0 ? [] : [[source, errors]];
    }),
  );
}
