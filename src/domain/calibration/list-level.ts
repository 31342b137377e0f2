import { levelsWithout } from '../verification/first-state.ts';
import type { Levels } from '../verification/history.ts';
import type { HistoryTable } from '../verification/history-table.ts';
import { listSharesAround } from '../verification/host-tables.ts';
import type { Model } from '../verification/model.ts';
import type { FitRow } from './row-counts.ts';

/** Most accounts' lists lie around the table's, and a few far away: Student's t, its scale in log-odds. */
const PRIOR = { freedom: 1, scale: 0.2 } as const;
/** In log-odds. Nights differ by more than a step. */
const REACH = 4;
const STEP = 0.05;
const LEVELS = Array.from({ length: 2 * (REACH / STEP) + 1 }, (_, at) =>
  Number(((at - REACH / STEP) * STEP).toFixed(2)),
);

/** Every list of the rows once. */
const listsOf = (rows: readonly FitRow[]): Levels[] => [
  ...new Map(
    rows.flatMap(({ address, around }) => (around.list === null ? [] : [[address.list, around.list]])),
  ).values(),
];

/** How far a list lies from the table's on average, in log-odds: the likeliest by what is known of each. */
function listLevelOf({ listSpread }: HistoryTable, lists: readonly Levels[], now: number): number {
  const said = lists.map((list) => (levelsWithout('list', list, null, now) ?? []).map(Math.exp));
  const scoreOf = (level: number): number => {
    const shares = listSharesAround(level / listSpread);
    return said.reduce(
      (sum, likely) => sum + Math.log(shares.reduce((all, share, at) => all + share * (likely[at] ?? 0), 0)),
      (-(PRIOR.freedom + 1) / 2) * Math.log(1 + level ** 2 / (PRIOR.freedom * PRIOR.scale ** 2)),
    );
  };
  const scored = LEVELS.map((level) => ({ level, score: scoreOf(level) }));
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).level;
}

/**
 * The model with the account's lists where they lie, so that a stranger, and a list of which little is known, bounce as the others do.
 * Of one list alone, however far out, little follows. It is `fitted` where outcomes have moved one of the lists.
 */
export function withListLevel(model: Model, rows: readonly FitRow[], now: number): Model {
  const lists = listsOf(rows);
  const listLevel = listLevelOf(model.history, lists, now);
  if (listLevel === 0) return model;
  const isReported = lists.some((list) => list.isReported);
  return { ...model, calibration: isReported ? 'fitted' : model.calibration, history: { ...model.history, listLevel } };
}
