import type { Purpose, Recommendation } from '../../src/contract/vocabulary.ts';
import { groundsFrom } from '../../src/domain/router/recommend.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { LOSSES } from '../../src/domain/router/losses.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import type { Askable } from '../../src/domain/router/provider-terms.ts';
import { recommend } from '../../src/domain/router/recommend.ts';
import { SECOND_USD, route } from '../../src/domain/router/router.ts';
import { strangerWith } from '../../test/support/beliefs.ts';
import type { SimulatedAddress } from '../population/addresses.ts';
import { bounceProbability, exactly, NOTHING_SAID, numberOf, type Said } from '../population/exact-posterior.ts';
import type { AskingPrice, OptimalPolicy } from '../population/optimal-policy.ts';
import type { Population } from '../population/population.ts';
import { answersOf, believe, onItsOwn } from './methods.ts';

/** Sums over addresses, in US dollars. */
export interface Costs {
  spend: number;
  time: number;
  /** What the decisions lose, expected under the exact posterior given what the decision was made from. */
  loss: number;
}

export const noCosts = (): Costs => ({ spend: 0, time: 0, loss: 0 });
export const totalOfCosts = ({ spend, time, loss }: Costs): number => spend + time + loss;

/** A way to decide: whom to ask next, given what has been said (null: no vendor), and what to do then. */
export interface Policy {
  next(host: HostClass, said: Said): ProviderId | null;
  act(host: HostClass, said: Said): Recommendation;
}

const UNKNOWN = 1 + VERDICTS.indexOf('unknown');

export const pricesIn = (population: Population, purpose: Purpose): AskingPrice[] =>
  PROVIDER_IDS.map((id) => {
    const vendor = population.vendors.find((one) => one.id === id);
    if (vendor === undefined) throw new Error(`${id} is not a vendor of this population`);
    const { priceMicros, billsUnknown, latencyMs } = vendor;
    return { price: priceMicros / 1e6, billsUnknown, time: (SECOND_USD[purpose] * latencyMs) / 1e3 };
  });

/** Expected loss of an action, given the exact bounce probability. */
export function lossOf(action: Recommendation, bounce: number, purpose: Purpose): number {
  const losses = LOSSES[purpose];
  if (action === 'send') return bounce * losses.bounce;
  if (action === 'drop') return (1 - bounce) * losses.contactLost;
  return (1 - bounce) * losses.heldGood + bounce * losses.heldBad;
}

const ACTIONS = ['send', 'drop', 'hold'] as const;

/** The cheapest action at a probability taken at its word. */
export const cheapest = (bounce: number, purpose: Purpose): Recommendation =>
  ACTIONS.reduce((best, action) => (lossOf(action, bounce, purpose) < lossOf(best, bounce, purpose) ? action : best));

/** Remembers what it has worked out: the same words about the same host have the same answer. */
export function remembering<T>(work: (host: HostClass, said: Said) => T): (host: HostClass, said: Said) => T {
  const hosts = new Map<HostClass, Map<number, T>>();
  return (host, said) => {
    const known = hosts.get(host) ?? new Map<number, T>();
    hosts.set(host, known);
    const number = numberOf(said);
    const made = known.get(number) ?? work(host, said);
    known.set(number, made);
    return made;
  };
}

/** The service: its router and its recommendation. `priceFactor` makes it thriftier (above 1) or more curious. */
export function enginePolicy(population: Population, model: Model, purpose: Purpose, priceFactor = 1): Policy {
  const providers = population.vendors.map(({ id, priceMicros, billsUnknown, latencyMs }): Askable => ({
    id,
    priceMicros: priceMicros * priceFactor,
    billsUnknown,
    health: { typicalMs: latencyMs, latencyMs, failureRate: 0, open: false },
  }));
  const stakes = { purpose, losses: LOSSES[purpose] };
  const left = { costMicros: Number.MAX_SAFE_INTEGER, timeMs: Number.MAX_SAFE_INTEGER };
  const choice = remembering((host, said) => {
    const answers = answersOf(said);
    const asked = new Set(answers.map(({ provider }) => provider));
    return route({ ...strangerWith(onItsOwn(model), host, answers), stakes, providers, asked, left }).choice;
  });
  return {
    next(host, said) {
      const chosen = choice(host, said);
      return chosen === 'stop' ? null : chosen;
    },
    act: remembering((host, said) =>
      recommend(believe(model, host, said), stakes, groundsFrom(answersOf(said), [], []), false),
    ),
  };
}

export const optimum = (
  exactBounce: ExactBounce,
  best: ReadonlyMap<HostClass, OptimalPolicy>,
  purpose: Purpose,
): Policy => ({
  next: (host, said) => PROVIDER_IDS[best.get(host)?.choice[numberOf(said)] ?? -1] ?? null,
  act: (host, said) => cheapest(exactBounce(host, said), purpose),
});

/** Asks the same vendors about every address and believes a mapping. */
export const always = (vendors: readonly ProviderId[], mapping: (said: Said) => number, purpose: Purpose): Policy => ({
  next: (_host, said) => vendors.find((id) => said[PROVIDER_IDS.indexOf(id)] === 0) ?? null,
  act: (_host, said) => cheapest(mapping(said), purpose),
});

/** The exact bounce probability of an address at a host of a population, given what was said of it. */
export type ExactBounce = (host: HostClass, said: Said) => number;

export const exactBounceIn = (population: Population): ExactBounce => {
  const exact = new Map(population.hosts.map((host) => [host.host, exactly(population, host)]));
  return remembering((host, said) => {
    const found = exact.get(host);
    if (found === undefined) throw new Error(`${host} is not a host of this population`);
    return bounceProbability(found.joint(said));
  });
};

/** Follows a policy on one address; its costs are added, and what it was told is given back. */
export function follow(
  policy: Policy,
  address: SimulatedAddress,
  prices: readonly AskingPrice[],
  exactBounce: ExactBounce,
  purpose: Purpose,
  costs: Costs,
): Said {
  const { host } = address.host;
  let said = NOTHING_SAID;
  for (let next = policy.next(host, said); next !== null; next = policy.next(host, said)) {
    const at = PROVIDER_IDS.indexOf(next);
    const digit = address.said[at] ?? 0;
    const asking = prices[at];
    if (asking === undefined || said[at] !== 0) throw new Error(`${next} can't be asked`);
    costs.time += asking.time;
    if (digit !== UNKNOWN || asking.billsUnknown) costs.spend += asking.price;
    said = said.map((before, provider) => (provider === at ? digit : before));
  }
  costs.loss += lossOf(policy.act(host, said), exactBounce(host, said), purpose);
  return said;
}
