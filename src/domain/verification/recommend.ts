import type { Purpose, Recommendation } from '../../contract/vocabulary.ts';
import type { Belief } from './belief.ts';

/** What each mistake costs, in US dollars. */
export interface Losses {
  /** A message sent to an address that bounces: sender reputation, or the wasted signup mail. */
  readonly bounce: number;
  /** A good contact dropped. */
  readonly contactLost: number;
  /** A good contact held or challenged: review, delay, some give up. */
  readonly heldGood: number;
  /** A bad address held or challenged. */
  readonly heldBad: number;
}

export const LOSSES: Readonly<Record<Purpose, Losses>> = {
  // A bounce in cold outreach harms the sender's reputation, and one prospect of many is worth little.
  outbound: { bounce: 0.4, contactLost: 0.1, heldGood: 0.03, heldBad: 0.03 },
  // A visitor who signs up is worth most, and asking for a confirmation is cheap.
  signup: { bounce: 0.3, contactLost: 3, heldGood: 0.06, heldBad: 0.03 },
  // A single row of an old list matters little either way.
  list_hygiene: { bounce: 0.05, contactLost: 0.02, heldGood: 0.008, heldBad: 0.008 },
};

/**
 * The cheapest action at the probability under the purpose's losses. `drop` can't be undone, so dropping must also beat
 * sending at the interval's low end. Between sending and dropping, a signup is challenged and any other address is held.
 */
export function recommend({ probability, interval }: Belief, purpose: Purpose, terminal: boolean): Recommendation {
  if (terminal) return 'drop';
  const { bounce, contactLost, heldGood, heldBad } = LOSSES[purpose];
  const send = probability * bounce;
  const drop = (1 - probability) * contactLost;
  const hold = (1 - probability) * heldGood + probability * heldBad;
  if (send <= hold && send <= drop) return 'send';
  if (drop < hold && interval[0] > contactLost / (contactLost + bounce)) return 'drop';
  return purpose === 'signup' ? 'challenge' : 'hold';
}
