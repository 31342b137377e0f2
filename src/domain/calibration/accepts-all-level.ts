import { isShared } from '../verification/host-tables.ts';
import type { Model } from '../verification/model.ts';
import { fewOfEachDomain } from './few-of-each-domain.ts';
import { acceptsAllShareOf, countRows, type PreparedRow } from './row-counts.ts';

/** Most accounts' catch-alls bounce as the table's do, and a few far more or less: a Cauchy prior of this scale, in log-odds. */
const SCALE = 0.2;
const REACH = 3.2;
/** Where it is open whether a domain accepts everything, a bounce may show as well that the other kind bounces more. */
const SURELY = 0.8;
const STEP = 0.5;
const HALVINGS = 4;

const at = (model: Model, acceptsAllLevel: number): Model => ({
  ...model,
  history: { ...model.history, acceptsAllLevel },
});

/** Slope of the log-posterior in the level, by addresses of catch-alls. */
function slopeAt(model: Model, rows: readonly PreparedRow[], level: number): number {
  let slope = (-2 * level) / (SCALE ** 2 + level ** 2);
  for (const { kinds } of countRows(at(model, level), rows).hosts.values()) slope += kinds[1].slope;
  return slope;
}

/** How far companies' catch-alls lie from the table's, in log-odds. Zero where the rows do not lead out of the prior's scale. */
function acceptsAllLevelOf(model: Model, rows: readonly PreparedRow[]): number {
  const there = fewOfEachDomain(
    rows.filter((row) => !isShared(row.address.host) && acceptsAllShareOf(model, row) > SURELY),
    ({ address }) => address.reports.length > 0,
  );
  const sign = Math.sign(slopeAt(model, there, 0));
  const leadsOut = (level: number): boolean => sign * slopeAt(model, there, sign * level) > 0;
  let [low, high] = [0, SCALE];
  while (high < REACH && leadsOut(high)) [low, high] = [high, high + STEP];
  if (low === 0) return 0;
  for (let left = HALVINGS; left > 0; left -= 1) {
    const middle = (low + high) / 2;
    if (leadsOut(middle)) low = middle;
    else high = middle;
  }
  return sign * low;
}

/**
 * The model with the account's catch-all domains where they lie, as a level above the levels of each. Providers can't tell who has left a
 * company whose server accepts everything, so reports show it, of some such companies for all of them. It is `fitted` then.
 */
export function withAcceptsAllLevel(model: Model, rows: readonly PreparedRow[]): Model {
  const level = acceptsAllLevelOf(model, rows);
  return level === 0 ? model : { ...at(model, level), calibration: 'fitted' };
}
