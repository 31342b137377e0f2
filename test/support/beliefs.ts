import type { Answer } from '../../src/domain/belief/facts.ts';
import type { Belief } from '../../src/domain/belief/posterior.ts';
import type { PosteriorInputs } from '../../src/domain/answer/conclusion.ts';
import { NO_NEIGHBOURS, firstState } from '../../src/domain/verification/first-state.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import { believe } from '../../src/domain/belief/posterior.ts';

/**
 * An address without history, of no stated purpose, about which providers say this now. Its number follows from the tables of hosts
 * and providers alone.
 */
export const strangerWith = (
  model: Model,
  host: HostClass,
  answers: readonly Answer[],
  acceptsAllOdds = 1,
): PosteriorInputs => ({
  model,
  host,
  certain: false,
  features: [],
  first: firstState(model, {
    host,
    features: [],
    purpose: null,
    acceptsAllOdds,
    around: NO_NEIGHBOURS,
    own: null,
    isOwnList: false,
    now: 0,
  }),
  answers: answers.map((answer) => ({ ...answer, at: 0 })),
  reports: [],
  proofs: [],
  now: 0,
});

export const believeStranger = (
  model: Model,
  host: HostClass,
  answers: readonly Answer[] = [],
  acceptsAllOdds = 1,
): Belief => believe(strangerWith(model, host, answers, acceptsAllOdds));
