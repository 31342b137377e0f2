import type { Verification } from '../../contract/verification.ts';
import { decimals } from '../../kernel/probability.ts';
import type { DatedAnswer } from '../belief/facts.ts';
import { type Belief, type BeliefInput, CERTAIN_BOUNCE, believe, bounceProbability } from '../belief/posterior.ts';

/** Everything a bounce probability follows from. A trace stores it, so that the decision can be replayed. */
export interface PosteriorInputs extends BeliefInput {
  /** A finding or a rule of the account settles the number. */
  readonly certain: boolean;
  /** Stored and new: at most one of each provider. */
  readonly answers: readonly DatedAnswer[];
}

export interface Posterior {
  readonly belief: Belief;
  readonly disagreement: number;
}

/** The posterior by all that is known, rounded as an answer shows it. */
export function computePosterior(inputs: PosteriorInputs): Posterior {
  if (inputs.certain) return { belief: CERTAIN_BOUNCE, disagreement: 0 };
  return { belief: shownBelief(believe(inputs)), disagreement: decimals(disagreement(inputs)) };
}

/** The range of the probabilities that each answer alone would give; 0 with fewer than two. */
function disagreement(inputs: PosteriorInputs): number {
  const { answers } = inputs;
  if (answers.length < 2) return 0;
  const alone = answers.map((answer) => bounceProbability({ ...inputs, answers: [answer], reports: [], proofs: [] }));
  return Math.max(...alone) - Math.min(...alone);
}

/** Verdict and recommendation use the rounded number, so that a client can check them against the answer. */
const shownBelief = ({ probability, interval }: Belief): Belief => ({
  probability: decimals(probability),
  interval: [decimals(interval[0]), decimals(interval[1])],
});

/** @param isTaught reports about the address, or groups that reports moved, are in the number */
export const calibrationOf = ({ certain }: PosteriorInputs, isTaught: boolean): Verification['calibration'] =>
  isTaught && !certain ? 'fitted' : 'prior';
