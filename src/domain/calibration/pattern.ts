import type { Answer } from '../verification/evidence.ts';
import type { HostClass } from '../verification/host-class.ts';

/** Cross-validation leaves out a fifth of the addresses at a time. */
export const FOLDS = 5;

/** A trace this old says half of what one of today says: lists, hosts and vendors change. In days. */
export const HALF_LIFE_DAYS = 90;

/** How many, and what they weigh after fading. */
interface Tally {
  readonly count: number;
  readonly weight: number;
}

/**
 * Addresses of an account of which the same was said: one row of a `group by`. An address stands in one pattern only, with
 * its newest trace that has a usable outcome, or else its newest.
 */
export interface TracePattern {
  /** 0 to `FOLDS` - 1, by the address's hash: no address is judged by a fit that has seen it. */
  readonly fold: number;
  readonly host: HostClass;
  /** What providers said, for the request or in stored evidence; one answer of each. */
  readonly answers: readonly Answer[];
  /** Λ as the trace has it, rounded so that patterns stay few; 1 when nothing was known of the domain. */
  readonly acceptsAllOdds: number;
  /** All of them, with a usable outcome or without, after fading. */
  readonly weight: number;
  /** Of them, those whose usable outcome is a hard bounce, and none. */
  readonly bounced: Tally;
  readonly landed: Tally;
}
