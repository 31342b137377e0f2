import type { Purpose, Recommendation } from '../../contract/vocabulary.ts';
import type { Belief } from './belief.ts';
import type { Grounds } from './grounds.ts';
import type { Stakes } from './losses.ts';

/**
 * `drop` can't be undone: what lies below the interval's low end has to be unlikely enough. A visitor who is turned away
 * is worth more than one row of a list.
 */
const LOW_END: Readonly<Record<Purpose, number>> = { outbound: 0.3, list_hygiene: 0.3, signup: 0.5 };

/** Two of them can't share one mistake of one engine. */
const ENGINES_SURE = 2;

/** How sure `drop` has to be. Neighbours alone, at the domain or in the list, never suffice. */
const isSure = ({ interval }: Belief, purpose: Purpose, { areOwn, refusingEngines, isUserUnknown }: Grounds): boolean =>
  areOwn && (interval[0] > LOW_END[purpose] || refusingEngines >= ENGINES_SURE || isUserUnknown);

/**
 * The cheapest action at the probability under the losses; `drop` only where that is sure enough. Between sending and
 * dropping, a signup is challenged and any other address is held.
 */
export function recommend(
  belief: Belief,
  { purpose, losses }: Stakes,
  grounds: Grounds,
  terminal: boolean,
): Recommendation {
  if (terminal) return 'drop';
  const { probability } = belief;
  const { bounce, contactLost, heldGood, heldBad } = losses;
  const send = probability * bounce;
  const drop = (1 - probability) * contactLost;
  const hold = (1 - probability) * heldGood + probability * heldBad;
  if (drop < Math.min(send, hold) && isSure(belief, purpose, grounds)) return 'drop';
  if (send <= hold) return 'send';
  return purpose === 'signup' ? 'challenge' : 'hold';
}
