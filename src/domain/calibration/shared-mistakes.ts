import { filtered, firstWeights } from '../verification/filter.ts';
import { tablesAt } from '../verification/host-tables.ts';
import type { Model } from '../verification/model.ts';
import { sightingsOf } from '../verification/sightings.ts';
import { firstOf, likelihoodsOf, type PreparedRow } from './row-counts.ts';

/** Shares of addresses of which every provider sees an answer that says nothing of the mailbox. */
const SHARES = [0, 0.0025, 0.005, 0.01, 0.02, 0.04] as const;
/** Judgement: about as many as vendors are mistaken alone. A priori the shares lie around none, with this mean. */
const USUAL_SHARE = 0.01;
/** How much likelier the mistakes have to make what was seen: twenty times. */
const CLEARLY = Math.log(20);
/** Rows read for it; more change little. */
const ROWS_MAX = 5_000;

/** What one row shows of mistakes follows from at least two sightings, of which one is an answer. */
const isTelling = ({ address: { answers, reports } }: PreparedRow): boolean =>
  answers.length > 0 && answers.length + reports.length > 1;

/**
 * The share of addresses of which all vendors are mistaken together: they look at one mail server, and now and then it tells all of
 * them the wrong thing. 0 unless it is clear from what became of the messages, and from what vendors said at other times.
 */
export function sharedMistakes(seed: Model, rows: readonly PreparedRow[]): number {
  const models = SHARES.map((mistaken): Model => ({ ...seed, history: { ...seed.history, mistaken } }));
  const scores = SHARES.map((share) => -share / USUAL_SHARE);
  for (const row of rows.filter(isTelling).slice(0, ROWS_MAX)) {
    const { host, answers, reports } = row.address;
    const weights = firstWeights(firstOf(seed, row));
    const sightings = sightingsOf(seed, host, { answers, reports, proofs: [] }, row.now);
    models.forEach((model, at) => {
      const ifFirst = likelihoodsOf(filtered(tablesAt(model, host), sightings, null));
      const likely = weights.reduce((sum, share, state) => sum + share * (ifFirst[state] ?? 0), 0);
      scores[at] = (scores[at] ?? 0) + Math.log(likely);
    });
  }
  const best = Math.max(...scores);
  return best - (scores[0] ?? best) < CLEARLY ? 0 : (SHARES[scores.indexOf(best)] ?? 0);
}
