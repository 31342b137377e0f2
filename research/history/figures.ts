import { type Figure, mean } from '../calibration/figures.ts';
import { KIND_NAMES, KINDS, type KindName, lies } from './kinds.ts';
import { costOf, type Loss, type Money } from './run.ts';
import { errs, isWrong, type JudgeName, type Score, type WorldScores } from './score.ts';

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
  readonly '$ per 1,000': string;
  readonly 'bounces per 1,000': string;
  readonly 'calibration error': string;
  readonly coverage: string;
}

function rowOf(worlds: readonly WorldScores[], kind: KindName, judge: JudgeName): Row {
  const own = scoresOf(worlds, kind, judge);
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

/** What the nightly fit does for an account some of whose reports are wrong. */
const errorFigures = (worlds: readonly WorldScores[], kind: KindName): Figure[] => {
  const cost = (judge: JudgeName): number[] => scoresOf(worlds, kind, judge).map(({ money }) => costOf(money));
  const [table, fitted] = [cost('service'), cost('fitted')];
  return [
    ...meanAndWorst(
      `cost of the fitted over the unfitted, ${kind}`,
      fitted.map((value, at) => value / (table[at] ?? value)),
    ),
  ];
};

/** A figure's mean and its worst world, each with what it has to reach. */
const meanAndWorst = (
  name: string,
  values: readonly number[],
  reach?: readonly [mean: number, worst: number],
): Figure[] =>
  values.length === 0
    ? []
    : [
        { name: `${name}: mean`, value: mean(values), ...(reach && { atMost: reach[0] }) },
        { name: `${name}: worst world`, value: largest(values), ...(reach && { atMost: reach[1] }) },
      ];

/** After 500 outcomes, without the fit and with it. */
const FAR: readonly [mean: number, worst: number] = [1.06, 1.06];
const FAR_FITTED: readonly [mean: number, worst: number] = [1.04, 1.04];
const TWICE_FITTED: readonly [mean: number, worst: number] = [1.045, Infinity];
const MISTAKES: readonly [mean: number, worst: number] = [1.08, 1.08];

/** Where all vendors are mistaken together: unfitted, and after the share was learnt. */
function mistakeFigures(worlds: readonly WorldScores[], kind: KindName): Figure[] {
  const loss = (judge: JudgeName): number[] => scoresOf(worlds, kind, judge).map(({ after }) => overLimit(after));
  const [table, fitted] = [loss('service'), loss('fitted')];
  return [
    ...meanAndWorst(`loss after asking, ${kind}`, table, MISTAKES),
    ...meanAndWorst('the same, fitted', fitted, MISTAKES),
    ...meanAndWorst(
      'the same over the unfitted',
      fitted.map((value, at) => value / (table[at] ?? value)),
      [1, 1],
    ),
  ];
}

const coverageIn = (worlds: readonly WorldScores[], kind: KindName): Figure[] => {
  const scores = scoresOf(worlds, kind, 'service');
  const total = (of: (score: Score) => number): number => scores.reduce((sum, score) => sum + of(score), 0);
  const value = total(({ coverage }) => coverage.held) / total(({ coverage }) => coverage.of);
  return scores.length === 0
    ? []
    : [{ name: `coverage of the 90 % interval, ${kind}`, value, atLeast: 0.87, atMost: 0.95 }];
};

function fitFigures(worlds: readonly WorldScores[], kind: KindName): Figure[] {
  const loss = (judge: JudgeName): number[] => scoresOf(worlds, kind, judge).map(({ after }) => overLimit(after));
  const [table, fitted] = [loss('service'), loss('fitted')];
  const isFar = KINDS[kind].group === 'far';
  return [
    ...meanAndWorst(`loss after 500 outcomes, ${kind}`, table, isFar ? FAR : undefined),
    ...meanAndWorst(`the same, fitted`, fitted, isFar ? FAR_FITTED : TWICE_FITTED),
    ...(fitted.length === 0
      ? []
      : [
          {
            name: 'the same over the unfitted: worst world',
            value: largest(fitted.map((value, at) => value / (table[at] ?? value))),
            atMost: 1.01,
          },
        ]),
  ];
}

function visitorFigures(worlds: readonly WorldScores[]): Figure[] {
  const kind: KindName = 'hostile visitor';
  const scores = (judge: JudgeName): Score[] => scoresOf(worlds, kind, judge);
  const challenged = (judge: JudgeName): number =>
    scores(judge).reduce((sum, { others }) => sum + others.challenged, 0) /
    scores(judge).reduce((sum, { others }) => sum + others.living, 0);
  if (scores('service').length === 0) return [];
  return [
    {
      name: 'hostile visitor: everybody else’s signups wrongly challenged, per 1,000',
      value: 1_000 * challenged('service'),
    },
  ];
}

/** The figures that have a target. */
export function figuresOf(worlds: readonly WorldScores[]): Figure[] {
  const near = scoresOf(worlds, 'near', 'service');
  const lossAfter = (kind: KindName): number[] =>
    scoresOf(worlds, kind, 'service').map(({ after }) => overLimit(after));
  const atLimit = scoresOf(worlds, 'near', 'limit');
  return [
    ...meanAndWorst(
      'loss over the limit before asking',
      near.map(({ before }) => overLimit(before)),
      [1.03, 1.05],
    ),
    ...meanAndWorst('loss over the limit after asking', lossAfter('near'), [1.04, 1.06]),
    ...meanAndWorst(
      'cost over the exact posterior’s own policy',
      near.map(({ money }, at) => costOf(money) / costOf(atLimit[at]?.money ?? money)),
    ),
    ...meanAndWorst(
      'calibration error',
      near.map(({ calibrationError }) => calibrationError),
      [0.012, 0.015],
    ),
    ...coverageIn(worlds, 'near'),
    ...coverageIn(worlds, 'drawn from the counts'),
    ...KIND_NAMES.filter(errs).flatMap((kind) => errorFigures(worlds, kind)),
    ...visitorFigures(worlds),
    ...KIND_NAMES.filter(isWrong).flatMap((kind) => fitFigures(worlds, kind)),
    ...(['shared mistakes 10 %', 'shared mistakes 25 %'] as const).flatMap((kind) => mistakeFigures(worlds, kind)),
  ];
}
