import type { Purpose } from '../../src/contract/vocabulary.ts';
import type { PosteriorInputs } from '../../src/domain/answer/conclusion.ts';
import type { InitialState } from '../../src/domain/belief/chain.ts';
import type { Answer, Feature } from '../../src/domain/belief/facts.ts';
import { predict, baselineAt } from '../../src/domain/belief/groups.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import type { Model } from '../../src/domain/belief/model.ts';
import { type Belief, believe } from '../../src/domain/belief/posterior.ts';

/** The initial state of an address without group effects. */
export const baselineState = (
  model: Model,
  host: HostClass,
  purpose: Purpose | null = null,
  features: readonly Feature[] = [],
  sharedAcceptsAll = 0,
): InitialState => predict(model, { ...baselineAt({ host, features, purpose, now: 0 }), sharedAcceptsAll }).state;

/**
 * An address without history or purpose, with these provider answers of now. Its probability follows from the tables alone.
 */
export const baselineWith = (
  model: Model,
  host: HostClass,
  answers: readonly Answer[],
  sharedAcceptsAll = 0,
): PosteriorInputs => ({
  model,
  host,
  certain: false,
  features: [],
  purpose: null,
  initial: baselineState(model, host, null, [], sharedAcceptsAll),
  answers: answers.map((answer) => ({ ...answer, at: 0 })),
  reports: [],
  proofs: [],
  now: 0,
});

export const believeBaseline = (
  model: Model,
  host: HostClass,
  answers: readonly Answer[] = [],
  sharedAcceptsAll = 0,
): Belief => believe(baselineWith(model, host, answers, sharedAcceptsAll));
