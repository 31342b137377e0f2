import type { Verdict } from '../../contract/vocabulary.ts';
import type { Belief } from './belief.ts';

/** Each verdict holds below its bound; the bounds are public. */
const BOUNDS: readonly (readonly [below: number, verdict: Verdict])[] = [
  [0.02, 'valid'],
  [0.1, 'likely_valid'],
  [0.5, 'risky'],
  [0.9, 'likely_invalid'],
];

/**
 * A coarse word for the number, computed last; our code never reads it. `unknown` is the word for an outage alone: the
 * interval says how sure the number is. `degraded`: providers failed and none added evidence.
 */
export function verdictOf({ probability }: Belief, degraded: boolean): Verdict {
  if (degraded) return 'unknown';
  return BOUNDS.find(([below]) => probability < below)?.[1] ?? 'invalid';
}
