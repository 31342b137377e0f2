import type { Answer } from '../../src/domain/belief/facts.ts';
import { firstState } from '../../src/domain/verification/first-state.ts';
import type { Levels } from '../../src/domain/verification/history.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { levelUpdate } from '../../src/domain/verification/level-update.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import { believe as believeAll } from '../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { strangerWith } from '../../test/support/beliefs.ts';
import { seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { addressAt } from '../population/addresses.ts';
import { bounceProbability, exactly, NOTHING_SAID, type Said } from '../population/exact-posterior.ts';
import { drawPopulation, NEAR } from '../population/population.ts';
import { addTo, newScore, type Score } from './belief-scores.ts';
import { answersOf, believe, onItsOwn } from './methods.ts';

const ADDRESSES_PER_DOMAIN = 8;

export interface ReuseScores {
  /** With what earlier answers at the domain taught, and as if nothing had been learnt. */
  readonly taught: Score;
  readonly untaught: Score;
}

/** The levels of a domain after the answers about one more of its addresses. */
function taughtBy(model: Model, host: HostClass, answers: readonly Answer[], domain: Levels | null): Levels | null {
  const address = {
    firstSeenAt: 0,
    host,
    features: [],
    purpose: 'outbound',
    domain: '',
    list: null,
    answers: answers.map((answer) => ({ ...answer, catch_all: null, at: 0 })),
    reports: [],
    proofs: [],
    part: null,
  } as const;
  return levelUpdate(onItsOwn(model)).learn(address, { domain, list: null }, 0, { purpose: 'outbound', at: 0 }).domain;
}

function believeAmong(model: Model, host: HostClass, said: Said, domain: Levels | null): number {
  const own = onItsOwn(model);
  const around = { domain, list: null };
  const of = { host, features: [], purpose: null, acceptsAllOdds: 1, own: null, isOwnList: false, now: 0 };
  const first = firstState(own, { ...of, around });
  return believeAll({ ...strangerWith(own, host, answersOf(said)), first }).probability;
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
    let levels: Levels | null = null;
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
        addTo(taught, right, believeAmong(model, host, judgedFrom, levels));
        addTo(untaught, right, believe(model, host, judgedFrom).probability);
      }
      levels = taughtBy(model, host, answersOf(said), levels);
      lnOdds += Math.log(known.likelihood(said, true) / known.likelihood(said, false));
    }
  }
  return { taught, untaught };
}
