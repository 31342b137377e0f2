import type { Purpose } from '../../src/contract/vocabulary.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { type BeliefScores, type Method, PANELS, type Panel, type Score } from './belief-scores.ts';
import type { ReuseScores } from './domain-reuse.ts';
import type { measureFit } from './fit-cpu.ts';
import type { FitName, FitScores } from './fit-scores.ts';
import { type PopulationScores, PURPOSES, vendorPolicy } from './population-scores.ts';
import type { measureRequests } from './request-cpu.ts';
import { type Costs, noCosts, totalOfCosts } from './spending.ts';

/** All that a run measured. */
export interface Measured {
  /** Populations near the table, with costs. */
  readonly near: readonly PopulationScores[];
  /** Populations twice as far from it. */
  readonly far: readonly PopulationScores[];
  /** Populations drawn from the table's counts. */
  readonly counts: readonly PopulationScores[];
  readonly reuse: readonly ReuseScores[];
  readonly cpu: ReturnType<typeof measureRequests>;
  readonly fitCpu: ReturnType<typeof measureFit>;
}

/** One figure and what it has to reach; it is held to the bounds that are given. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly note?: string;
}

export const reaches = ({ value, atLeast, atMost }: Figure): boolean | null =>
  atLeast === undefined && atMost === undefined
    ? null
    : value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
export const overLimit = ({ crossEntropy, entropy }: Score): number => crossEntropy / entropy;

const pooled = (scores: readonly Score[]): Score => ({
  crossEntropy: scores.reduce((sum, { crossEntropy }) => sum + crossEntropy, 0),
  entropy: scores.reduce((sum, { entropy }) => sum + entropy, 0),
});

/** A method's cross-entropy over the limit in one population, on one panel or on all together. */
export const ratioIn = ({ beliefs }: PopulationScores, method: Method, panels: readonly Panel[] = PANELS): number =>
  overLimit(pooled(panels.map((panel) => beliefs.scores[method][panel])));

export const costsIn = (population: PopulationScores, purpose: Purpose, policy: string): Costs =>
  population.costs[purpose]?.[policy] ?? noCosts();

/** A policy's total cost over the exact optimum's, on the same addresses. */
export const overOptimum = (population: PopulationScores, purpose: Purpose, policy: string): number =>
  totalOfCosts(costsIn(population, purpose, policy)) / totalOfCosts(costsIn(population, purpose, 'optimum'));

/** Of the vendors that bill, the one whose word, always asked for, loses least. */
const bestVendor = (population: PopulationScores, purpose: Purpose): Costs =>
  PROVIDER_IDS.filter((id) => id !== 'reacher')
    .map((id) => costsIn(population, purpose, vendorPolicy(id)))
    .reduce((best, costs) => (costs.loss < best.loss ? costs : best));

const spendShare = (populations: readonly PopulationScores[], purposes: readonly Purpose[]): number => {
  const spent = (of: (population: PopulationScores, purpose: Purpose) => Costs): number =>
    populations.reduce(
      (sum, population) => sum + purposes.reduce((total, purpose) => total + of(population, purpose).spend, 0),
      0,
    );
  return spent((population, purpose) => costsIn(population, purpose, 'engine')) / spent(bestVendor);
};

const coverageOf = (
  populations: readonly { readonly coverage: BeliefScores['coverage'] }[],
  panels: readonly Panel[] = PANELS,
): number => {
  const all = populations.flatMap(({ coverage }) => panels.map((panel) => coverage[panel]));
  return all.reduce((sum, { held }) => sum + held, 0) / all.reduce((sum, { of }) => sum + of, 0);
};

/** The populations in which an account's past was fitted to, each with the fit. */
export const fitsIn = (
  populations: readonly PopulationScores[],
  name: FitName,
): { readonly population: PopulationScores; readonly fit: FitScores }[] =>
  populations.flatMap((population) => {
    const fit = population.fits[name];
    return fit === undefined ? [] : [{ population, fit }];
  });

/** A fit's cross-entropy over the limit, on one panel or on all together. */
export const fitRatio = ({ scores }: FitScores, panels: readonly Panel[] = PANELS): number =>
  overLimit(pooled(panels.map((panel) => scores[panel])));

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const perPurpose = (of: (purpose: Purpose) => number, shown: (value: number) => string): string =>
  PURPOSES.map((purpose) => `${purpose} ${shown(of(purpose))}`).join(', ');

/** What a fit has to reach; `margin`: never above the unfitted by more. */
const FIT_TARGETS: readonly {
  readonly name: FitName;
  readonly mean?: number;
  readonly worst?: number;
  readonly margin: number;
}[] = [
  { name: '500', mean: 1.035, margin: 1.015 },
  { name: '5,000', mean: 1.02, worst: 1.04, margin: 1.005 },
  { name: '500, drift', margin: 1.015 },
  { name: '5,000, drift', margin: 1.005 },
];

function fitFigures(near: readonly PopulationScores[]): Figure[] {
  const ofRatios = FIT_TARGETS.flatMap(({ name, mean: reach, worst, margin }): Figure[] => {
    const fits = fitsIn(near, name);
    const ratios = fits.map(({ fit }) => fitRatio(fit));
    const beside = fits.map(({ population, fit }) => fitRatio(fit) / ratioIn(population, 'engine'));
    const adopted = fits.filter(({ fit }) => fit.adopted).length;
    return [
      {
        name: `cross-entropy over the limit, fitted on ${name}: mean`,
        value: mean(ratios),
        ...(reach === undefined ? {} : { atMost: reach }),
        note: `unfitted ${mean(near.map((population) => ratioIn(population, 'engine'))).toFixed(4)}; adopted in ${adopted} of ${fits.length}`,
      },
      {
        name: `cross-entropy over the limit, fitted on ${name}: worst`,
        value: Math.max(...ratios),
        ...(worst === undefined ? {} : { atMost: worst }),
      },
      {
        name: `the same over the unfitted, ${name}: worst population`,
        value: Math.max(...beside),
        atMost: margin,
        note: `mean ${mean(beside).toFixed(4)}`,
      },
    ];
  });
  const large = fitsIn(near, '5,000').map(({ fit }) => fit);
  return [
    ...ofRatios,
    {
      name: 'calibration error, fitted on 5,000: mean',
      value: mean(large.map((fit) => fit.calibrationError)),
      atMost: 0.01,
      note: `worst ${Math.max(...large.map((fit) => fit.calibrationError)).toFixed(4)}`,
    },
    {
      name: 'coverage of the 90 % interval, fitted on 5,000',
      value: coverageOf(large),
      atLeast: 0.85,
      atMost: 0.95,
      note: PANELS.map((panel) => `${panel} ${percent(coverageOf(large, [panel]))}`).join(', '),
    },
    {
      name: 'size of the stored fit, bytes: largest',
      value: Math.max(...large.map(({ bytes }) => bytes)),
      atMost: 20_000,
      note: `from ${mean(large.map(({ traces }) => traces)).toFixed(0)} traces on average`,
    },
  ];
}

/** The figures with their targets. */
export function figuresOf({ near, far, counts, reuse, cpu, fitCpu }: Measured): Figure[] {
  const ratios = near.map((population) => ratioIn(population, 'engine'));
  const wide = far.map((population) => ratioIn(population, 'engine'));
  const known = near.map((population) => ratioIn(population, 'engine, true parameters'));
  const evaluations = (near[0]?.addresses ?? 0) * PANELS.length;
  const overs = (policy: string, purposes: readonly Purpose[] = PURPOSES): number[] =>
    near.flatMap((population) => purposes.map((purpose) => overOptimum(population, purpose, policy)));
  const total = (policy: string): string =>
    `${perPurpose(
      (purpose) => mean(overs(policy, [purpose])),
      (value) => value.toFixed(3),
    )}; worst ${Math.max(...overs(policy)).toFixed(3)}`;
  return [
    { name: 'cross-entropy over the limit, unfitted: mean', value: mean(ratios), atMost: 1.05 },
    { name: 'cross-entropy over the limit, unfitted: worst population', value: Math.max(...ratios), atMost: 1.1 },
    {
      name: 'the same, moved by up to 1.0: mean',
      value: mean(wide),
      note: `a table twice as far off; worst ${Math.max(...wide).toFixed(3)}`,
    },
    {
      name: 'the same with the true parameters: mean',
      value: mean(known),
      note: `what vendors on one engine cost; worst ${Math.max(...known).toFixed(3)}`,
    },
    {
      name: `calibration error at ${evaluations.toLocaleString('en')}: mean`,
      value: mean(near.map(({ beliefs }) => beliefs.calibrationError)),
      atMost: 0.02,
      note: `worst ${Math.max(...near.map(({ beliefs }) => beliefs.calibrationError)).toFixed(4)}`,
    },
    {
      name: 'coverage of the 90 % interval, populations from the counts',
      value: coverageOf(counts.map(({ beliefs }) => beliefs)),
      atLeast: 0.87,
      atMost: 0.93,
      note: PANELS.map(
        (panel) =>
          `${panel} ${percent(
            coverageOf(
              counts.map(({ beliefs }) => beliefs),
              [panel],
            ),
          )}`,
      ).join(', '),
    },
    {
      name: 'coverage of the 90 % interval, populations near the table',
      value: coverageOf(near.map(({ beliefs }) => beliefs)),
      atLeast: 0.88,
      note: PANELS.map(
        (panel) =>
          `${panel} ${percent(
            coverageOf(
              near.map(({ beliefs }) => beliefs),
              [panel],
            ),
          )}`,
      ).join(', '),
    },
    {
      name: 'total cost over the optimum, true parameters: mean',
      value: mean(overs('engine, true parameters')),
      atMost: 1.01,
      note: total('engine, true parameters'),
    },
    {
      name: 'total cost over the optimum, unfitted: mean',
      value: mean(overs('engine')),
      atMost: 1.1,
      note: total('engine'),
    },
    ...fitFigures(near),
    {
      name: 'total cost over the optimum, fitted on 5,000: mean',
      value: mean(overs('engine, fitted')),
      atMost: 1.04,
      note: total('engine, fitted'),
    },
    {
      name: 'total cost over the optimum, fitted on 5,000: worst',
      value: Math.max(...overs('engine, fitted')),
      atMost: 1.1,
    },
    {
      name: 'spend over always asking the best vendor',
      value: spendShare(near, PURPOSES),
      atMost: 0.3,
      note: perPurpose((purpose) => spendShare(near, [purpose]), percent),
    },
    {
      name: 'cross-entropy over the limit, domains re-used',
      value: mean(reuse.map(({ taught }) => overLimit(taught))),
      note: `${mean(reuse.map(({ untaught }) => overLimit(untaught))).toFixed(3)} had nothing been learnt of the domain`,
    },
    {
      name: 'CPU of a request, µs, seven providers: median',
      value: cpu.median,
      atMost: 100,
      note: `99 in 100 within ${cpu.p99.toFixed(0)}; ${cpu.steps.toFixed(1)} steps of the router on average`,
    },
    {
      name: 'CPU of a fit, ms, 8,000 traces: median',
      value: fitCpu.fitMs,
      atMost: 155,
      note: `${fitCpu.patterns} patterns; with cross-validation of all trusts ${fitCpu.calibrateMs.toFixed(0)}`,
    },
  ];
}
