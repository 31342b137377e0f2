import type { Model } from '../../src/domain/belief/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import { seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import type { SimulatedAddress } from '../population/addresses.ts';
import { NOTHING_SAID, type Said } from '../population/exact-posterior.ts';
import { type Population, trueModel } from '../population/population.ts';
import { answersOf, average, believe, FIXED, majority, naive } from './methods.ts';
import type { ExactBounce } from './spending.ts';

/** What an address is judged from: one, three or all seven providers chosen at random, or those the router asked. */
export const PANELS = ['one', 'three', 'seven', 'asked'] as const;
export type Panel = (typeof PANELS)[number];
const PANEL_SIZE = { one: 1, three: 3, seven: PROVIDER_IDS.length } as const;

export const METHODS = ['engine', 'engine, true parameters', 'naive product', 'average', 'majority'] as const;
export type Method = (typeof METHODS)[number];

/** Sums over addresses: cross-entropy against the exact posterior, and that posterior's own entropy, the limit. */
export interface Score {
  crossEntropy: number;
  entropy: number;
}

/** Predictions near each other: how many, and the sums of what was predicted, what is exact, and what happened. */
export interface Bin {
  count: number;
  predicted: number;
  exact: number;
  bounced: number;
}

export interface Coverage {
  held: number;
  of: number;
}

export interface BeliefScores {
  readonly scores: Readonly<Record<Method, Record<Panel, Score>>>;
  /** Each vendor alone: its fixed mapping, and the engine on the same word. */
  readonly vendors: Readonly<Record<ProviderId, { readonly fixed: Score; readonly engine: Score }>>;
  /** Mean distance of the engine's probability and the exact one over bins of equal count. */
  readonly calibrationError: number;
  /** Of the engine's 90 % intervals, how many there were and how many hold the exact probability. */
  readonly coverage: Readonly<Record<Panel, Coverage>>;
  readonly reliability: {
    readonly engine: readonly Bin[];
    readonly naive: readonly Bin[];
    readonly average: readonly Bin[];
  };
}

const CERTAIN = 1e-9;

/** Natural-log cross-entropy of a prediction; one that was certain is taken for nearly so. */
export function crossEntropy(exact: number, predicted: number): number {
  const sure = Math.min(1 - CERTAIN, Math.max(CERTAIN, predicted));
  return -(exact * Math.log(sure) + (1 - exact) * Math.log(1 - sure));
}

export const newScore = (): Score => ({ crossEntropy: 0, entropy: 0 });
export function addTo(score: Score, exact: number, predicted: number): void {
  score.crossEntropy += crossEntropy(exact, predicted);
  score.entropy += crossEntropy(exact, exact);
}

export function panelsOf(population: Population, { index, said }: SimulatedAddress, asked: Said): Record<Panel, Said> {
  const draws = seededRandom(seedOf(population.seed, 6, index));
  const order = said.map((_, at) => ({ at, place: draws.uniform() })).sort((one, other) => one.place - other.place);
  const first = (size: number): Said => {
    const chosen = new Set(order.slice(0, size).map(({ at }) => at));
    return said.map((digit, at) => (chosen.has(at) ? digit : 0));
  };
  return { one: first(PANEL_SIZE.one), three: first(PANEL_SIZE.three), seven: first(PANEL_SIZE.seven), asked };
}

/** Bins of equal width in log-odds from 1 in 1,000 to 999 in 1,000, what lies beyond in the outermost. */
const BINS = 24;
const LN_ODDS_END = Math.log(999);
const newBins = (): Bin[] => Array.from({ length: BINS }, () => ({ count: 0, predicted: 0, exact: 0, bounced: 0 }));
function binOf(bins: readonly Bin[], predicted: number): Bin {
  const place = (Math.log(predicted / (1 - predicted)) / LN_ODDS_END + 1) / 2;
  return bins[Math.max(0, Math.min(BINS - 1, Math.floor(place * BINS)))] as Bin;
}

/** Mean over `size` bins of equal count of how far the mean prediction is from the mean of the exact probabilities. */
export function calibrationError(pairs: readonly (readonly [predicted: number, exact: number])[], size = 20): number {
  const sorted = [...pairs].sort(([one], [other]) => one - other);
  let error = 0;
  for (let bin = 0; bin < size; bin += 1) {
    const members = sorted.slice(
      Math.floor((bin * sorted.length) / size),
      Math.floor(((bin + 1) * sorted.length) / size),
    );
    error += Math.abs(members.reduce((sum, [predicted, exact]) => sum + predicted - exact, 0));
  }
  return error / sorted.length;
}

const recordOf = <K extends string, T>(keys: readonly K[], make: (key: K) => T): Record<K, T> =>
  Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, T>;

/** Every method on every panel of every address of a population. `asked`: what the router was told about each address. */
export function scoreBeliefs(
  population: Population,
  model: Model,
  exactBounce: ExactBounce,
  addresses: readonly SimulatedAddress[],
  asked: readonly Said[],
): BeliefScores {
  const truth = trueModel(population);
  const scores = recordOf(METHODS, () => recordOf(PANELS, newScore));
  const vendors = recordOf(PROVIDER_IDS, () => ({ fixed: newScore(), engine: newScore() }));
  const reliability = { engine: newBins(), naive: newBins(), average: newBins() };
  const pairs: (readonly [number, number])[] = [];
  const coverage = recordOf(PANELS, (): Coverage => ({ held: 0, of: 0 }));
  addresses.forEach((address, at) => {
    const { host } = address.host;
    for (const [panel, said] of Object.entries(panelsOf(population, address, asked[at] ?? NOTHING_SAID)) as [
      Panel,
      Said,
    ][]) {
      const right = exactBounce(host, said);
      const belief = believe(model, host, said);
      pairs.push([belief.probability, right]);
      coverage[panel].of += 1;
      if (belief.interval[0] <= right && right <= belief.interval[1]) coverage[panel].held += 1;
      const predictions: Record<Method, number> = {
        engine: belief.probability,
        'engine, true parameters': believe(truth, host, said).probability,
        'naive product': naive(model, host, said),
        average: average(said),
        majority: majority(said),
      };
      for (const method of METHODS) addTo(scores[method][panel], right, predictions[method]);
      const shown = { engine: belief.probability, naive: predictions['naive product'], average: predictions.average };
      for (const [name, predicted] of Object.entries(shown) as [keyof typeof shown, number][]) {
        const bin = binOf(reliability[name], predicted);
        bin.count += 1;
        bin.predicted += predicted;
        bin.exact += right;
        bin.bounced += address.bounces ? 1 : 0;
      }
    }
    PROVIDER_IDS.forEach((id, provider) => {
      const said = address.said.map((digit, other) => (other === provider ? digit : 0));
      const right = exactBounce(host, said);
      const [answer] = answersOf(said);
      addTo(vendors[id].fixed, right, FIXED[answer?.verdict ?? 'unknown']);
      addTo(vendors[id].engine, right, believe(model, host, said).probability);
    });
  });
  return { scores, vendors, calibrationError: calibrationError(pairs), coverage, reliability };
}
