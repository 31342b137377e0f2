import { type Figure, mean } from '../calibration/figures.ts';
import { KIND_NAMES, KINDS, type KindName, lies } from './kinds.ts';
import { costOf, type Loss, type Money } from './run.ts';
import type { JudgeName, Score, WorldScores } from './score.ts';

const overLimit = ({ crossEntropy, entropy }: Loss): number => crossEntropy / entropy;
const largest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), -Infinity);

/** The worlds of a kind in which a judge served. */
const scoresOf = (worlds: readonly WorldScores[], kind: KindName, judge: JudgeName): Score[] =>
  worlds.flatMap((world) => {
    const score = world.kind === kind ? world.scores[judge] : undefined;
    return score === undefined ? [] : [score];
  });

const thousand = (value: number, { visits }: Money): number => (1_000 * value) / visits;
const shown = (values: readonly number[], digits: number): string =>
  values.length === 0 ? '' : `${mean(values).toFixed(digits)} / ${largest(values).toFixed(digits)}`;

/** One line of the table: how a judge did in the worlds of a kind, mean and worst. */
interface Row {
  readonly kind: string;
  readonly judge: string;
  readonly before: string;
  readonly after: string;
  readonly 'cost over release 2': string;
  readonly 'spend over': string;
  readonly '$ per 1,000': string;
  readonly 'bounces per 1,000': string;
  readonly 'calibration error': string;
  readonly coverage: string;
}

function rowOf(worlds: readonly WorldScores[], kind: KindName, judge: JudgeName): Row {
  const own = scoresOf(worlds, kind, judge);
  const other = scoresOf(worlds, kind, 'release 2');
  const over = (of: (money: Money) => number): number[] =>
    own.map(({ money }, at) => of(money) / of(other[at]?.money ?? money));
  // Where words lie, costs are judged by one who knows more than any account: no limit of what an account can know.
  const losses = (of: (score: Score) => Loss): number[] =>
    lies(KINDS[kind].kind) ? [] : own.map((score) => overLimit(of(score)));
  const total = (of: (score: Score) => number): number => own.reduce((sum, score) => sum + of(score), 0);
  const held = total(({ coverage }) => coverage.held) / total(({ coverage }) => coverage.of);
  return {
    kind,
    judge,
    before: shown(
      losses(({ before }) => before),
      3,
    ),
    after: shown(
      losses(({ after }) => after),
      3,
    ),
    'cost over release 2': shown(over(costOf), 3),
    'spend over': shown(
      over(({ spend }) => spend),
      2,
    ),
    '$ per 1,000': mean(own.map(({ money }) => thousand(costOf(money), money))).toFixed(2),
    'bounces per 1,000': mean(own.map(({ bounces, money }) => thousand(bounces, money))).toFixed(1),
    'calibration error': shown(
      own.map(({ calibrationError }) => calibrationError),
      4,
    ),
    coverage: judge === 'limit' || lies(KINDS[kind].kind) ? '' : `${(100 * held).toFixed(1)} %`,
  };
}

/** Every kind of world that was run, and every judge that served it. */
export const rowsOf = (worlds: readonly WorldScores[]): Row[] =>
  KIND_NAMES.flatMap((kind) => {
    const judges = new Set(worlds.flatMap((world) => (world.kind === kind ? Object.keys(world.scores) : [])));
    return [...judges].map((judge) => rowOf(worlds, kind, judge as JudgeName));
  });

/** The figures that have a target, and some that only show what they stand beside. */
export function figuresOf(worlds: readonly WorldScores[]): Figure[] {
  const near = scoresOf(worlds, 'near', 'limit');
  const release = scoresOf(worlds, 'near', 'release 2');
  const ratio = near.map(({ money }, at) => costOf(money) / costOf(release[at]?.money ?? money));
  return [
    { name: 'cost of the exact posterior’s own policy over release 2: mean', value: mean(ratio) },
    { name: 'kinds of worlds', value: Object.keys(KINDS).length },
  ];
}
