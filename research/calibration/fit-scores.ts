import type { Purpose } from '../../src/contract/vocabulary.ts';
import { calibrate, fittedModel } from '../../src/domain/calibration/calibrate.ts';
import { documentOf } from '../../src/domain/calibration/model-document.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import type { SimulatedAddress } from '../population/addresses.ts';
import { drawPopulation, type Origin, type Population } from '../population/population.ts';
import {
  addTo,
  type Coverage,
  calibrationError,
  newScore,
  PANELS,
  type Panel,
  panelsOf,
  type Score,
} from './belief-scores.ts';
import { type PastTrace, pastOf, patternsOf } from './history.ts';
import { believe } from './methods.ts';
import { type ExactBounce, exactBounceIn, remembering } from './spending.ts';

/** Outcomes a fit has to learn from; `drift`: half of them from before every parameter of the population was drawn again. */
export const FITS = {
  '500': { outcomes: 500, drift: false },
  '5,000': { outcomes: 5_000, drift: false },
  '500, drift': { outcomes: 500, drift: true },
  '5,000, drift': { outcomes: 5_000, drift: true },
} as const;
export type FitName = keyof typeof FITS;
export const FIT_NAMES = Object.keys(FITS) as FitName[];

/** How long a past that drifts goes back. */
const DRIFT_DAYS = 180;

/** The population before the drift has a seed of its own. */
const BEFORE = 10_007;

/** How a fit does, adopted or not. */
export interface FitScores {
  /** Whether the service would have adopted it. */
  readonly adopted: boolean;
  /** Size of the stored document. */
  readonly bytes: number;
  readonly traces: number;
  readonly scores: Readonly<Record<Panel, Score>>;
  readonly calibrationError: number;
  readonly coverage: Readonly<Record<Panel, Coverage>>;
}

export interface PopulationFit {
  readonly model: Model;
  readonly scores: FitScores;
}

/** What an account has seen of the population, served by the unfitted engine. */
export function pastBefore(
  { outcomes, drift }: (typeof FITS)[FitName],
  {
    population,
    origin,
    exactBounce,
  }: { readonly population: Population; readonly origin: Origin; readonly exactBounce: ExactBounce },
  model: Model,
  purposes: readonly Purpose[],
): { readonly past: readonly PastTrace[]; readonly days: number } {
  if (!drift) return { past: pastOf(population, model, exactBounce, purposes, outcomes), days: 0 };
  const before = drawPopulation(model, origin, population.seed + BEFORE);
  const half = Math.floor(outcomes / 2);
  return {
    past: [
      ...pastOf(before, model, exactBounceIn(before), purposes, half),
      ...pastOf(population, model, exactBounce, purposes, outcomes - half),
    ],
    days: DRIFT_DAYS,
  };
}

/** A fit to that past, judged on addresses it has not seen. `asked`: what the unfitted router was told of each. */
export function scoreFit(
  { past, days }: ReturnType<typeof pastBefore>,
  { population, exactBounce }: { readonly population: Population; readonly exactBounce: ExactBounce },
  seed: Model,
  addresses: readonly SimulatedAddress[],
  asked: readonly (readonly number[])[],
): PopulationFit {
  const patterns = patternsOf(past, days);
  const calibrated = calibrate(patterns);
  const model = calibrated.candidate ?? fittedModel(seed, patterns).model;
  const beliefOf = remembering((host, said) => believe(model, host, said));
  const scores = Object.fromEntries(PANELS.map((panel) => [panel, newScore()])) as Record<Panel, Score>;
  const coverage = Object.fromEntries(PANELS.map((panel) => [panel, { held: 0, of: 0 }])) as Record<Panel, Coverage>;
  const pairs: (readonly [number, number])[] = [];
  addresses.forEach((address, at) => {
    const { host } = address.host;
    const panels = panelsOf(population, address, asked[at] ?? []);
    for (const panel of PANELS) {
      const right = exactBounce(host, panels[panel]);
      const { probability, interval } = beliefOf(host, panels[panel]);
      addTo(scores[panel], right, probability);
      pairs.push([probability, right]);
      coverage[panel].of += 1;
      if (interval[0] <= right && right <= interval[1]) coverage[panel].held += 1;
    }
  });
  return {
    model,
    scores: {
      adopted: calibrated.model === model,
      bytes: JSON.stringify(documentOf(model)).length,
      traces: past.length,
      scores,
      calibrationError: calibrationError(pairs),
      coverage,
    },
  };
}
