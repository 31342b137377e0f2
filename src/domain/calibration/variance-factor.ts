import { lnGamma } from '../../kernel/gamma.ts';
import { ANSWERS } from '../verification/host-tables.ts';
import { type Model, rowsAt } from '../verification/model.ts';
import { PROVIDER_IDS } from '../verification/provider.ts';
import { VERDICTS } from '../verification/provider-table.ts';
import { fewOfEachDomain } from './few-of-each-domain.ts';
import { countRows, type PreparedRow } from './row-counts.ts';
import { fitRows } from './row-fit.ts';

/** How far providers' rows lie from the table's, as a factor on the variance of the table's counts. */
const FACTORS = [0.06, 0.09, 0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4] as const;
/** Counts lean on the table where it is open what the server said: of accounts drawn from the table's counts a sixth is seen. */
const SEEN_PART = 1 / 6;
/** A priori the logarithm lies around the table's own with this standard deviation. */
const LN_SPREAD = 1.5;
/** Of the table's precision: counts under a fit lean on the table less. */
const TRUST = 0.2;
/** More change little. */
const ROWS_MAX = 1_000;

const MOST = 2;
/** Of one. Nights differ by more, and each other factor is a model of its own. */
const STEPS = 5;
const UNKNOWN = VERDICTS.indexOf('unknown');

/** How far the rows of the providers lie from the table's: the likeliest factor, under Dirichlets around the table's rows. */
function rowsFactorOf(model: Model, rows: readonly PreparedRow[]): number {
  const { hosts } = countRows(fitRows(model, rows, TRUST), rows);
  const counted = [...hosts].flatMap(([host, { rows: ofProviders }]) =>
    PROVIDER_IDS.flatMap((id, provider) =>
      ANSWERS.map((answer, at) => ({ row: rowsAt(model, id, host)[answer], seen: ofProviders[provider]?.[at] ?? [] })),
    ),
  );
  const scoreOf = (factor: number): number => {
    let score = -((Math.log(factor) / LN_SPREAD) ** 2) / 2;
    for (const { row, seen } of counted) {
      let [weight, total] = [0, 0];
      // `unknown` is kept only until the provider says something else.
      for (let verdict = 0; verdict < UNKNOWN; verdict += 1) {
        const [prior, count] = [(row[verdict] ?? 0) / (factor * SEEN_PART), seen[verdict] ?? 0];
        weight += prior;
        total += count;
        score += lnGamma(prior + count) - lnGamma(prior);
      }
      score += lnGamma(weight) - lnGamma(weight + total);
    }
    return score;
  };
  const scored = FACTORS.map((factor) => ({ factor, score: scoreOf(factor) }));
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).factor;
}

/**
 * The model with its intervals as wide as the account lies far from the table. Half of their variance goes as the providers' rows do,
 * which the rows show; the other half is of figures that little is seen of, and is wider where lists or catch-alls lie elsewhere.
 */
export function withVarianceFactor(model: Model, rows: readonly PreparedRow[]): Model {
  const { listLevel, acceptsAllLevel } = model.history;
  const asked = rows.filter(({ address }) => address.answers.length > 0);
  const few = fewOfEachDomain(asked, () => true).slice(0, ROWS_MAX);
  const factor = (1 + rowsFactorOf(model, few) + (listLevel ** 2 + acceptsAllLevel ** 2) / 2) / 2;
  const varianceFactor = Math.round(Math.min(MOST, factor) * STEPS) / STEPS;
  return varianceFactor === model.history.varianceFactor
    ? model
    : { ...model, history: { ...model.history, varianceFactor } };
}
