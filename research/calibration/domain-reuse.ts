import { type Answer, acceptsAllOdds } from '../../src/domain/verification/evidence.ts';
import type { Model } from '../../src/domain/verification/model.ts';
import { PROVIDER_IDS } from '../../src/domain/verification/provider.ts';
import { seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { addressAt } from '../population/addresses.ts';
import { bounceProbability, exactly, NOTHING_SAID, type Said } from '../population/exact-posterior.ts';
import { drawPopulation, NEAR } from '../population/population.ts';
import { addTo, newScore, type Score } from './belief-scores.ts';
import { answersOf, believe } from './methods.ts';

const ADDRESSES_PER_DOMAIN = 8;

export interface ReuseScores {
  /** With what earlier answers at the domain taught, and as if nothing had been learnt. */
  readonly taught: Score;
  readonly untaught: Score;
}

/**
 * Addresses that share domains, one provider asked about each in turn. Every address but a domain's first is judged from the
 * earlier answers at its domain, half of them from their own answer too. The limit knows the exact odds that the domain
 * accepts everything.
 */
export function scoreReuse(model: Model, seed: number, domains: number): ReuseScores {
  const population = drawPopulation(model, NEAR, seed);
  const exact = new Map(population.hosts.map((host) => [host, exactly(population, host)]));
  const [taught, untaught] = [newScore(), newScore()];
  for (let domain = 0; domain < domains; domain += 1) {
    const earlier: Answer[] = [];
    let lnOdds = 0;
    for (let of = 0; of < ADDRESSES_PER_DOMAIN; of += 1) {
      const address = addressAt(population, domain * ADDRESSES_PER_DOMAIN + of, ADDRESSES_PER_DOMAIN);
      const { host } = address.host;
      const known = exact.get(address.host);
      if (known === undefined) throw new Error(`${host} is not a host of this population`);
      const draws = seededRandom(seedOf(seed, 7, address.index));
      const chosen = draws.index(PROVIDER_IDS.map(() => 1));
      const said: Said = address.said.map((digit, at) => (at === chosen ? digit : 0));
      const judgedFrom = draws.uniform() < 0.5 ? NOTHING_SAID : said;
      if (of > 0) {
        const right = bounceProbability(known.joint(judgedFrom, Math.exp(lnOdds)));
        const odds = acceptsAllOdds(model, host, earlier);
        addTo(taught, right, believe(model, host, judgedFrom, odds).probability);
        addTo(untaught, right, believe(model, host, judgedFrom).probability);
      }
      earlier.push(...answersOf(said));
      lnOdds += Math.log(known.likelihood(said, true) / known.likelihood(said, false));
    }
  }
  return { taught, untaught };
}
