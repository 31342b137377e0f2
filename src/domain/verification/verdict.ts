import type { Verdict } from '../../contract/vocabulary.ts';
import { intervalWidth } from '../../kernel/probability.ts';
import type { Belief } from './belief.ts';

/** A wider interval means that almost nothing is known. */
const WIDEST = 0.6;

/** Each verdict holds below its bound; the bounds are public. */
const BOUNDS: readonly (readonly [below: number, verdict: Verdict])[] = [
  [0.02, 'valid'],
  [0.1, 'likely_valid'],
  [0.5, 'risky'],
  [0.9, 'likely_invalid'],
];

/**
 * A coarse word for the number, computed last; our code never reads it. `degraded`: providers failed and none added
 * evidence.
 */
export function verdictOf({ probability, interval }: Belief, degraded: boolean): Verdict {
  if (degraded || intervalWidth(interval) > WIDEST) return 'unknown';
  return BOUNDS.find(([below]) => probability < below)?.[1] ?? 'invalid';
}
