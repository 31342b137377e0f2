import type { Verdict } from '../../contract/vocabulary.ts';
import type { Belief } from '../belief/posterior.ts';

/** Each verdict holds below its bound; the bounds are public. */
const BOUNDS: readonly (readonly [below: number, verdict: Verdict])[] = [
  [0.02, 'valid'],
  [0.1, 'likely_valid'],
  [0.5, 'risky'],
  [0.9, 'likely_invalid'],
];

/**
 * A coarse word for the number, computed last; our code never reads it. `isBlind`: the answer is degraded, or the mail hosts could
 * not be looked up and nothing else is known of the address. The interval says how sure the number is.
 */
export function verdictOf({ probability }: Belief, isBlind: boolean): Verdict {
  if (isBlind) return 'unknown';
  return BOUNDS.find(([below]) => probability < below)?.[1] ?? 'invalid';
}
