import type { Purpose } from '../../src/contract/vocabulary.ts';
import { LOSSES } from '../../src/domain/router/losses.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import { addressAt } from '../population/addresses.ts';
import { exactly, type Said } from '../population/exact-posterior.ts';
import { optimalPolicy } from '../population/optimal-policy.ts';
import { drawPopulation, type Origin, trueModel } from '../population/population.ts';
import { type BeliefScores, scoreBeliefs } from './belief-scores.ts';
import { FIT_NAMES, FITS, type FitName, type FitScores, pastBefore, scoreFit } from './fit-scores.ts';
import { average, majority } from './methods.ts';
import {
  always,
  type Costs,
  enginePolicy,
  exactBounceIn,
  follow,
  noCosts,
  optimum,
  type Policy,
  pricesIn,
} from './spending.ts';

export const PURPOSES = ['outbound', 'signup', 'list_hygiene'] as const satisfies readonly Purpose[];

/** How much dearer than they are the engine takes prices to be, for the frontier. */
export const THRIFT = [0.02, 0.25, 0.5, 1, 2, 4, 16] as const;

export const vendorPolicy = (id: ProviderId): string => `always ${id}`;
export const thriftPolicy = (factor: number): string => `engine, prices × ${factor}`;

export interface PopulationScores {
  readonly seed: number;
  readonly addresses: number;
  readonly beliefs: BeliefScores;
  /** By purpose and policy; empty for a population whose costs were not asked for. */
  readonly costs: Partial<Record<Purpose, Readonly<Record<string, Costs>>>>;
  /** Empty likewise. */
  readonly fits: Partial<Record<FitName, FitScores>>;
}

/** The fit whose router and recommendation are followed. */
const FOLLOWED: FitName = '5,000';

/** One population: `size` addresses judged by every method and, unless `costs` is false, decided about by every policy. */
export function scorePopulation(
  model: Model,
  origin: Origin,
  seed: number,
  { size, costs: withCosts = true }: { readonly size: number; readonly costs?: boolean },
): PopulationScores {
  const population = drawPopulation(model, origin, seed);
  const exactBounce = exactBounceIn(population);
  const addresses = Array.from({ length: size }, (_, index) => addressAt(population, index));
  const run = (purpose: Purpose, policy: Policy): { costs: Costs; said: Said[] } => {
    const costs = noCosts();
    const prices = pricesIn(population, purpose);
    return { costs, said: addresses.map((address) => follow(policy, address, prices, exactBounce, purpose, costs)) };
  };
  // What is asked differs by purpose: the addresses' evidence is that of each purpose in turn.
  const asked = PURPOSES.map((purpose) => run(purpose, enginePolicy(population, model, purpose)).said);
  const evidence = addresses.map((_, at) => asked[at % PURPOSES.length]?.[at] ?? []);
  const beliefs = scoreBeliefs(population, model, exactBounce, addresses, evidence);
  if (!withCosts) return { seed, addresses: size, beliefs, costs: {}, fits: {} };

  const fits = FIT_NAMES.map((name) => {
    const past = pastBefore(FITS[name], { population, origin, exactBounce }, model, PURPOSES);
    return { name, ...scoreFit(past, { population, exactBounce }, model, addresses, evidence) };
  });
  const fitted = fits.find(({ name }) => name === FOLLOWED)?.model ?? model;
  const joints = population.hosts.map((host) => [host.host, exactly(population, host).all()] as const);
  const costs: PopulationScores['costs'] = {};
  for (const purpose of PURPOSES) {
    const prices = pricesIn(population, purpose);
    const best = new Map(joints.map(([host, joint]) => [host, optimalPolicy(joint, prices, LOSSES[purpose])]));
    const policies: Record<string, Policy> = {
      optimum: optimum(exactBounce, best, purpose),
      'engine, true parameters': enginePolicy(population, trueModel(population), purpose),
      engine: enginePolicy(population, model, purpose),
      'engine, fitted': enginePolicy(population, fitted, purpose),
      'no vendor asked': { ...enginePolicy(population, model, purpose), next: () => null },
      'all seven, average': always(PROVIDER_IDS, average, purpose),
      'all seven, majority': always(PROVIDER_IDS, majority, purpose),
    };
    for (const id of PROVIDER_IDS) policies[vendorPolicy(id)] = always([id], average, purpose);
    for (const factor of THRIFT) policies[thriftPolicy(factor)] = enginePolicy(population, model, purpose, factor);
    costs[purpose] = Object.fromEntries(
      Object.entries(policies).map(([name, policy]) => [name, run(purpose, policy).costs]),
    );
  }
  return {
    seed,
    addresses: size,
    beliefs,
    costs,
    fits: Object.fromEntries(fits.map(({ name, scores }) => [name, scores])),
  };
}
