import type { Answer } from '../verification/answer.ts';
import type { HostClass } from '../verification/host-class.ts';

/** Cross-validation leaves out a fifth of the addresses at a time. */
export const FOLDS = 5;

/** A trace this many days old counts half as much as today's: lists, hosts and vendors change. */
export const HALF_LIFE_DAYS = 90;

/** A number of traces, and their weight after fading. */
interface Tally {
  readonly count: number;
  readonly weight: number;
}

/**
 * Addresses of an account with the same answers: one row of a `group by`. Each address counts in one pattern only, with
 * its newest trace that has a usable outcome, or else its newest.
 */
export interface TracePattern {
  /** 0 to `FOLDS` - 1, by the address's hash, so that a fit is tested only on addresses it has not seen. */
  readonly fold: number;
  readonly host: HostClass;
  /** One answer of each provider, from the request or from stored evidence. */
  readonly answers: readonly Answer[];
  /** Λ as the trace has it, rounded to keep patterns few; 1 when nothing was known about the domain. */
  readonly acceptsAllOdds: number;
  /** The weight of all of them after fading, with a usable outcome or without. */
  readonly weight: number;
  /** Those whose usable outcome is a hard bounce, and those whose outcome is not. */
  readonly bounced: Tally;
  readonly landed: Tally;
}
