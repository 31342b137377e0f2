import type { Verification } from '../../contract/verification.ts';
import { decimals } from '../../kernel/probability.ts';
import { type Belief, CERTAIN_BOUNCE, infer } from './belief.ts';
import { type Answer, aged, disagreement, evidenceFrom } from './evidence.ts';
import type { HostClass } from './host-class.ts';
import type { Model } from './model.ts';

/** Everything that a bounce probability follows from. A trace keeps it, so that the decision can be replayed. */
export interface PosteriorInputs {
  readonly model: Model;
  readonly host: HostClass;
  /** A finding or a rule of the account settles the number. */
  readonly certain: boolean;
  /** Stored answers about the address, and the age in ms of the newest other than `unknown`. */
  readonly known: readonly Answer[];
  readonly knownAgeMs: number;
  /** What providers said for this request. */
  readonly fresh: readonly Answer[];
  /** Λ: what answers about other addresses say about the domain. */
  readonly acceptsAllOdds: number;
}

export interface Posterior {
  readonly belief: Belief;
  readonly disagreement: number;
}

/** The posterior of all answers about the address, new and stored, rounded as an answer shows it. */
export function computePosterior(inputs: PosteriorInputs): Posterior {
  const { model, host, known, fresh, acceptsAllOdds } = inputs;
  if (inputs.certain) return { belief: CERTAIN_BOUNCE, disagreement: 0 };
  const answers: Answer[] = [...known, ...fresh];
  const belief = infer(model.prior[host], evidenceFrom(model, host, answers), acceptsAllOdds);
  const ageMs = fresh.some(({ verdict }) => verdict !== 'unknown') ? 0 : inputs.knownAgeMs;
  return {
    belief: shown(aged(belief, ageMs)),
    disagreement: decimals(disagreement(model, host, answers, acceptsAllOdds)),
  };
}

/** Verdict and recommendation follow from the rounded number, so that a client can check them against the answer. */
const shown = ({ probability, interval }: Belief): Belief => ({
  probability: decimals(probability),
  interval: [decimals(interval[0]), decimals(interval[1])],
});

/** `fitted` where the account's outcomes moved the number. At hosts without outcomes the seeded number stands. */
export function calibrationOf(
  inputs: PosteriorInputs,
  seeded: Omit<PosteriorInputs, 'certain' | 'fresh'>,
): Verification['calibration'] {
  if (inputs.model.calibration === 'prior') return 'prior';
  const [own, prior] = [inputs, { ...inputs, ...seeded }].map((each) => computePosterior(each).belief.probability);
  return own === prior ? 'prior' : 'fitted';
}
