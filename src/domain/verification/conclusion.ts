import { decimals } from '../../kernel/probability.ts';
import { type Belief, CERTAIN_BOUNCE, infer } from './belief.ts';
import { type Answer, aged, disagreement, evidenceFrom } from './evidence.ts';
import type { HostClass } from './host-class.ts';
import type { Model } from './model.ts';

/** All that a bounce probability follows from; a trace keeps it, so that the decision can be replayed. */
export interface PosteriorInputs {
  readonly model: Model;
  readonly host: HostClass;
  /** A finding or a rule of the account has settled it. */
  readonly certain: boolean;
  /** What stored evidence says of the address, and the age in ms of its newest telling answer. */
  readonly known: readonly Answer[];
  readonly knownAgeMs: number;
  /** What providers said for this request. */
  readonly fresh: readonly Answer[];
  /** Λ: what answers about other addresses say of the domain. */
  readonly acceptsAllOdds: number;
}

export interface Posterior {
  readonly belief: Belief;
  readonly disagreement: number;
}

/** The posterior of everything said of the address, now and before; rounded to what an answer shows. */
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

/** Verdict and recommendation are taken from what an answer shows: a client that compares sees the same number. */
const shown = ({ probability, interval }: Belief): Belief => ({
  probability: decimals(probability),
  interval: [decimals(interval[0]), decimals(interval[1])],
});
