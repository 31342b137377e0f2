import type { Purpose } from '../../src/contract/vocabulary.ts';
import { FOLDS, HALF_LIFE_DAYS, type TracePattern } from '../../src/domain/calibration/pattern.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import { seedOf } from '../../test/support/seeded-random.ts';
import { addressAt, type SimulatedAddress } from '../population/addresses.ts';
import { numberOf, type Said } from '../population/exact-posterior.ts';
import type { Population } from '../population/population.ts';
import { answersOf } from './methods.ts';
import { type ExactBounce, enginePolicy, follow, noCosts, pricesIn } from './spending.ts';

/** One verification of an account's past: what was said, and whether the address was then mailed. */
export interface PastTrace {
  readonly address: SimulatedAddress;
  readonly said: Said;
  readonly sent: boolean;
}

/** Addresses of the past are others than those a fit is judged on. */
const FIRST = 1_000_000;

/**
 * The past of an account that the service served: the router asked, each purpose in turn, and what it said to send was sent,
 * until there are so many outcomes.
 */
export function pastOf(
  population: Population,
  model: Model,
  exactBounce: ExactBounce,
  purposes: readonly Purpose[],
  outcomes: number,
): PastTrace[] {
  const services = purposes.map((purpose) => ({
    purpose,
    policy: enginePolicy(population, model, purpose),
    prices: pricesIn(population, purpose),
  }));
  const past: PastTrace[] = [];
  for (let at = 0, sent = 0; sent < outcomes; at += 1) {
    const service = services[at % services.length];
    if (service === undefined) throw new Error('an account has a purpose');
    const address = addressAt(population, FIRST + at);
    const said = follow(service.policy, address, service.prices, exactBounce, service.purpose, noCosts());
    const mailed = service.policy.act(address.host.host, said) === 'send';
    past.push({ address, said, sent: mailed });
    if (mailed) sent += 1;
  }
  return past;
}

/** Grouped as the store groups traces; evenly spread over `days`, the last of them today's. */
export function patternsOf(past: readonly PastTrace[], days = 0): TracePattern[] {
  const groups = new Map<string, TracePattern>();
  past.forEach(({ address, said, sent }, at) => {
    const { host } = address.host;
    const fold = seedOf(address.index) % FOLDS;
    const weight = 2 ** ((-days * (1 - at / past.length)) / HALF_LIFE_DAYS);
    const name = `${fold} ${host} ${numberOf(said)}`;
    const nothing = { count: 0, weight: 0 };
    const found = groups.get(name) ?? {
      fold,
      host,
      answers: answersOf(said),
      acceptsAllOdds: 1,
      weight: 0,
      bounced: nothing,
      landed: nothing,
    };
    const more = (tally: TracePattern['bounced'], counts: boolean) =>
      counts ? { count: tally.count + 1, weight: tally.weight + weight } : tally;
    groups.set(name, {
      ...found,
      weight: found.weight + weight,
      bounced: more(found.bounced, sent && address.bounces),
      landed: more(found.landed, sent && !address.bounces),
    });
  });
  return [...groups.values()];
}
