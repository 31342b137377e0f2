import type { Losses } from '../../src/domain/router/losses.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { digitOf, type Exact, placeOf, SAID_COUNT } from './exact-posterior.ts';

/** What asking a provider costs, in US dollars. */
export interface AskingPrice {
  readonly price: number;
  readonly billsUnknown: boolean;
  readonly time: number;
}

/** The policy of least expected cost: for each number of a `Said`, the provider to ask next, or -1 to act. */
export interface OptimalPolicy {
  readonly choice: Int8Array;
  /** Expected cost of one address: price, time and decision loss. */
  readonly cost: number;
}

const UNKNOWN = 1 + VERDICTS.indexOf('unknown');

/** By dynamic programming over everything that can be said: what follows an answer has a larger number, so from the top. */
export function optimalPolicy(
  { bounces, lands }: ReturnType<Exact['all']>,
  prices: readonly AskingPrice[],
  losses: Losses,
): OptimalPolicy {
  const choice = new Int8Array(SAID_COUNT).fill(-1);
  // Joint with what was said, like the probabilities, so that the values of what an answer leads to add up.
  const cost = new Float64Array(SAID_COUNT);
  for (let number = SAID_COUNT - 1; number >= 0; number -= 1) {
    const [bad, good] = [bounces[number] ?? 0, lands[number] ?? 0];
    let least = Math.min(bad * losses.bounce, good * losses.contactLost, good * losses.heldGood + bad * losses.heldBad);
    for (let provider = 0; provider < prices.length; provider += 1) {
      const asking = prices[provider];
      if (asking === undefined || digitOf(number, provider) !== 0) continue;
      const place = placeOf(provider);
      const unknown = number + UNKNOWN * place;
      const free = asking.billsUnknown ? 0 : (bounces[unknown] ?? 0) + (lands[unknown] ?? 0);
      let total = (asking.price + asking.time) * (bad + good) - asking.price * free;
      for (let digit = 1; digit <= VERDICTS.length; digit += 1) total += cost[number + digit * place] ?? 0;
      if (total >= least) continue;
      least = total;
      choice[number] = provider;
    }
    cost[number] = least;
  }
  return { choice, cost: cost[0] ?? 0 };
}
