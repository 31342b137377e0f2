import type { Verification } from '../../contract/verification.ts';
import { decimals } from '../../kernel/probability.ts';
import type { DatedAnswer } from './answer.ts';
import { type Belief, CERTAIN_BOUNCE } from './belief.ts';
import { type BeliefInput, believe, bounceProbability } from './posterior.ts';

/** Everything that a bounce probability follows from. A trace keeps it, so that the decision can be replayed. */
export interface PosteriorInputs extends Omit<BeliefInput, 'answers'> {
  /** A finding or a rule of the account settles the number. */
  readonly certain: boolean;
  /** Answers that still count, stored and new: at most one of each provider. */
  readonly answers: readonly DatedAnswer[];
}

export interface Posterior {
  readonly belief: Belief;
  readonly disagreement: number;
}

/** The posterior of all that is known of the address, rounded as an answer shows it. */
export function computePosterior(inputs: PosteriorInputs): Posterior {
  if (inputs.certain) return { belief: CERTAIN_BOUNCE, disagreement: 0 };
  return { belief: shown(believe(inputs)), disagreement: decimals(disagreement(inputs)) };
}

/** The largest minus the smallest probability that each answer alone would give; 0 with fewer than two answers. */
function disagreement(inputs: PosteriorInputs): number {
  const { answers } = inputs;
  if (answers.length < 2) return 0;
  const alone = answers.map((answer) => bounceProbability({ ...inputs, answers: [answer], reports: [], proofs: [] }));
  return Math.max(...alone) - Math.min(...alone);
}

/** Verdict and recommendation follow from the rounded number, so that a client can check them against the answer. */
const shown = ({ probability, interval }: Belief): Belief => ({
  probability: decimals(probability),
  interval: [decimals(interval[0]), decimals(interval[1])],
});

/**
 * `fitted` where the account's outcomes moved the number: through its fitted tables, the reports about the address, or the levels of
 * its domain and list.
 * @param untaught the inputs as they would be without any outcome; null: no outcome stands in them
 */
export const calibrationOf = ({ belief }: Posterior, untaught: PosteriorInputs | null): Verification['calibration'] =>
  untaught === null || decimals(bounceProbability(untaught)) === belief.probability ? 'prior' : 'fitted';
