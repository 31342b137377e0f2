import type { HostPrior } from './belief.ts';
import type { HostClass } from './host-class.ts';
import { type Model, rowsAt } from './model.ts';
import { PROVIDER_IDS } from './provider.ts';
import { type AnswerRows, totalOf, VERDICTS } from './provider-table.ts';

/** What others saw never settles how a domain behaves: |ln Λ| ≤ 4, odds of 55 to 1. */
const LN_ODDS_LIMIT = 4;

/**
 * Λ: the odds that a domain accepts everything, by the flag that organisations share: P(the flag | it does) / P(the flag | it does
 * not), or 1 where nothing is `told`. The flag does not name the provider, so it counts as the word of the least informative
 * one.
 */
export function acceptsAllOdds(model: Model, host: HostClass, told: boolean | null): number {
  if (told === null) return 1;
  const column = VERDICTS.indexOf(told ? 'catch_all' : 'undeliverable');
  const words = PROVIDER_IDS.map((provider) => {
    const rows = rowsAt(model, provider, host);
    return Math.log(
      likelihood(model.prior[host], rows, column, true) / likelihood(model.prior[host], rows, column, false),
    );
  });
  const word = words.reduce((least, one) => (Math.abs(one) < Math.abs(least) ? one : least));
  return Math.exp(Math.max(-LN_ODDS_LIMIT, Math.min(LN_ODDS_LIMIT, word)));
}

/** P(verdict | the domain accepts everything, or does not), over the answers the server may give then. */
function likelihood(prior: HostPrior, rows: AnswerRows, column: number, acceptsAll: boolean): number {
  let [mass, total] = [0, 0];
  for (const cell of prior) {
    if (cell.acceptsAll !== acceptsAll) continue;
    const counts = rows[cell.answer];
    mass += cell.alpha * ((counts[column] ?? 0) / totalOf(counts));
    total += cell.alpha;
  }
  return mass / total;
}
