import type { Interval } from '../../kernel/probability.ts';

/**
 * What the recipient's mail server says to RCPT TO for this address. Every provider looks at it, and given the server's
 * answer their reports are independent, so it alone carries the correlation between them.
 */
export type ServerAnswer = 'accepts' | 'refuses' | 'accepts_all' | 'inconclusive';

/** A cell: whether the domain accepts every recipient, and the server's answer for this one. */
export interface Cell {
  readonly acceptsAll: boolean;
  readonly answer: ServerAnswer;
  /** Pseudo-observations of this cell; over the host class's total it is the cell's share (Dirichlet). */
  readonly alpha: number;
  /** Pseudo-observations of a hard bounce, and of none, for mail sent to an address in this cell (Beta). */
  readonly bounced: number;
  readonly landed: number;
}

export type HostPrior = readonly Cell[];

export interface Belief {
  /** Posterior mean of the probability that a message sent now hard-bounces. */
  readonly probability: number;
  /** 90 % credible interval, which includes the mean. */
  readonly interval: Interval;
}

/** The belief where a finding (broken syntax, no mail host) or a rule of the account settles it. */
export const CERTAIN_BOUNCE: Belief = { probability: 1, interval: [1, 1] };
