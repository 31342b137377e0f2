import { betaInterval, type Interval } from '../../kernel/probability.ts';

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

/**
 * One provider's verdict as evidence: for each server answer, how many of the provider's `total` (pseudo-)observations
 * gave this verdict. Counts are above 0, because a verdict never seen under an answer is unlikely but possible.
 */
export type Evidence = Readonly<Record<ServerAnswer, { readonly count: number; readonly total: number }>>;

export interface Belief {
  /** Posterior mean of the probability that a message sent now hard-bounces. */
  readonly probability: number;
  /** 90 % credible interval, which includes the mean. */
  readonly interval: Interval;
}

/** The belief where a finding (broken syntax, no mail host) or a rule of the account settles it. */
export const CERTAIN_BOUNCE: Belief = { probability: 1, interval: [1, 1] };

const ANSWERS: readonly ServerAnswer[] = ['accepts', 'refuses', 'accepts_all', 'inconclusive'];

const likelihood = (evidence: readonly Evidence[], answer: ServerAnswer): number =>
  evidence.reduce((product, verdict) => product * (verdict[answer].count / verdict[answer].total), 1);

/** A cell after the evidence: its share, split by whether mail bounces. */
export interface WeighedCell extends Cell {
  readonly bounceRate: number;
  readonly bounceWeight: number;
  readonly landWeight: number;
}

/**
 * The cells of a prior after the evidence, not normalised. `acceptsAllOdds` comes from earlier answers at the domain:
 * P(answers | accepts all) / P(answers | does not), or 1 without answers.
 */
export const weigh = (prior: HostPrior, evidence: readonly Evidence[], acceptsAllOdds: number): WeighedCell[] =>
  prior.map((cell) => {
    const bounceRate = cell.bounced / (cell.bounced + cell.landed);
    const weight = cell.alpha * (cell.acceptsAll ? acceptsAllOdds : 1) * likelihood(evidence, cell.answer);
    return { ...cell, bounceRate, bounceWeight: weight * bounceRate, landWeight: weight * (1 - bounceRate) };
  });

function totals(cells: readonly WeighedCell[]): { readonly bounce: number; readonly land: number } {
  let [bounce, land] = [0, 0];
  for (const { bounceWeight, landWeight } of cells) {
    bounce += bounceWeight;
    land += landWeight;
  }
  return { bounce, land };
}

/** The posterior mean alone. */
export function bounceProbability(prior: HostPrior, evidence: readonly Evidence[], acceptsAllOdds = 1): number {
  const { bounce, land } = totals(weigh(prior, evidence, acceptsAllOdds));
  return bounce / (bounce + land);
}

/**
 * The bounce probability of an address under a host class's prior, given the providers' answers.
 *
 * The mean is exact for independent cells; the interval comes from the delta method on the log-odds (first-order effect of
 * each share, bounce rate and provider row, times its variance), carried by the Beta of the same mean.
 */
export function infer(prior: HostPrior, evidence: readonly Evidence[] = [], acceptsAllOdds = 1): Belief {
  const cells = weigh(prior, evidence, acceptsAllOdds);
  const { bounce: bounceTotal, land: landTotal } = totals(cells);
  const probability = bounceTotal / (bounceTotal + landTotal);

  let variance = 0;
  const pullOf: Record<ServerAnswer, number> = { accepts: 0, refuses: 0, accepts_all: 0, inconclusive: 0 };
  for (const cell of cells) {
    const amongBounced = cell.bounceWeight / bounceTotal;
    const amongLanded = cell.landWeight / landTotal;
    const pull = amongBounced - amongLanded;
    pullOf[cell.answer] += pull;
    const ratePull = amongBounced * (1 - cell.bounceRate) + amongLanded * cell.bounceRate;
    variance += pull ** 2 / cell.alpha + ratePull ** 2 * (1 / cell.bounced + 1 / cell.landed);
  }
  for (const verdict of evidence) {
    for (const answer of ANSWERS) {
      const { count, total } = verdict[answer];
      variance += pullOf[answer] ** 2 * (1 / count - 1 / total);
    }
  }
  return { probability, interval: betaInterval(probability, 1 / (probability * (1 - probability) * variance)) };
}
