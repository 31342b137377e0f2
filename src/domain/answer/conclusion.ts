import type { Verification } from '../../contract/verification.ts';
import type { Purpose } from '../../contract/vocabulary.ts';
import { decimals, logOddsOf } from '../../kernel/probability.ts';
import { type InitialState, filtered, initialBounce } from '../belief/chain.ts';
import type { Observed } from '../belief/evidence.ts';
import type { DatedAnswer, DeliveryClass, Facts, Feature, LifeClass } from '../belief/facts.ts';
import {
  type Bounds,
  type Groups,
  NO_GROUPS,
  type PredictionContext,
  initialState,
  predict,
} from '../belief/groups.ts';
import { type Model, tablesAt } from '../belief/model.ts';
import {
  type Belief,
  type BeliefInput,
  CERTAIN_BOUNCE,
  believe,
  bounceOf,
  bounceProbability,
  observedBy,
} from '../belief/posterior.ts';
import type { ProviderId, ProviderVerdict } from '../belief/provider.ts';

/** Everything that a bounce probability follows from. A trace keeps it, so that the decision can be replayed. */
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

/** The posterior of all that is known of the address, rounded as an answer shows it. */
export function computePosterior(inputs: PosteriorInputs): Posterior {
  if (inputs.certain) return { belief: CERTAIN_BOUNCE, disagreement: 0 };
  return { belief: shownBelief(believe(inputs)), disagreement: decimals(disagreement(inputs)) };
}

/** The largest minus the smallest probability that each answer alone would give; 0 with fewer than two answers. */
function disagreement(inputs: PosteriorInputs): number {
  const { answers } = inputs;
  if (answers.length < 2) return 0;
  const alone = answers.map((answer) => bounceProbability({ ...inputs, answers: [answer], reports: [], proofs: [] }));
  return Math.max(...alone) - Math.min(...alone);
}

/** Verdict and recommendation follow from the rounded number, so that a client can check them against the answer. */
const shownBelief = ({ probability, interval }: Belief): Belief => ({
  probability: decimals(probability),
  interval: [decimals(interval[0]), decimals(interval[1])],
});

/** @param isTaught reports about the address, or groups that reports moved, stand in the number */
export const calibrationOf = ({ certain }: PosteriorInputs, isTaught: boolean): Verification['calibration'] =>
  isTaught && !certain ? 'fitted' : 'prior';

/** What a piece of evidence is called in a trace. */
export type EvidenceCode =
  /** Where the log-odds begin: an address of this host of which nothing is known. */
  | 'stranger'
  | 'purpose'
  | Feature
  | 'shared_flag'
  | 'account_bounces'
  | 'account_delivers'
  | 'domain_bounces'
  | 'domain_delivers'
  | 'list_bounces'
  | 'list_delivers'
  /** What the bound on groups takes back. */
  | 'neighbours_bound'
  | 'answer'
  | 'bounced_before'
  | 'full_before'
  | 'deferred_before'
  | 'delivered_before'
  | 'complained_before'
  | LifeClass
  /** The time between the facts and since, and what is forgotten or left out. */
  | 'age';

/** How far one piece of evidence moved the log-odds of a bounce. All of an answer add up to those of its probability. */
export interface EvidenceShift {
  readonly code: EvidenceCode;
  readonly shift: number;
  /** Of an answer. */
  readonly provider?: ProviderId;
  readonly verdict?: ProviderVerdict;
}

const REPORT_CODES: Readonly<Record<DeliveryClass, EvidenceCode>> = {
  user_unknown: 'bounced_before',
  refused: 'bounced_before',
  full: 'full_before',
  soft: 'deferred_before',
  delivered: 'delivered_before',
  complaint: 'complained_before',
};

/** What the address, its purpose and its groups say, one after the other: up to the log-odds of the initial state. */
function initialShifts(model: Model, context: PredictionContext, facts: Facts, bounds: Bounds): EvidenceShift[] {
  const { features, purpose, sharedAcceptsAll, groups } = context;
  const shifts: EvidenceShift[] = [];
  let last = 0;
  const add = (codeOf: (shift: number) => EvidenceCode, state: InitialState): void => {
    const reached = logOddsOf(initialBounce(state));
    if (shifts.length === 0 || reached !== last) shifts.push({ code: codeOf(reached - last), shift: reached - last });
    last = reached;
  };
  const alone = (shown: readonly Feature[], forPurpose: Purpose | null, shared = 0): InitialState =>
    predict(
      model,
      { ...context, features: shown, purpose: forPurpose, sharedAcceptsAll: shared, groups: NO_GROUPS },
      'none',
    ).state;
  const among = (some: Partial<Groups>): InitialState =>
    predict(model, { ...context, groups: { ...NO_GROUPS, ...some } }).state;
  const { account, catchAlls, domain } = groups;
  add(() => 'stranger', alone([], null));
  if (purpose !== null) add(() => 'purpose', alone([], purpose));
  features.forEach((feature, at) => add(() => feature, alone(features.slice(0, at + 1), purpose)));
  add(() => 'shared_flag', alone(features, purpose, sharedAcceptsAll));
  add((shift) => (shift > 0 ? 'account_bounces' : 'account_delivers'), among({ account, catchAlls }));
  add((shift) => (shift > 0 ? 'domain_bounces' : 'domain_delivers'), among({ account, catchAlls, domain }));
  add((shift) => (shift > 0 ? 'list_bounces' : 'list_delivers'), among(groups));
  add(() => 'neighbours_bound', initialState(model, context, facts, bounds));
  return shifts;
}

const shiftOf = (seen: Observed, shift: number): EvidenceShift => {
  if ('verdict' in seen.of) return { code: 'answer', shift, provider: seen.of.provider, verdict: seen.of.verdict };
  if (seen.kind === 'proof') return { code: seen.of.class, shift };
  return { code: REPORT_CODES[(seen.of as { class: DeliveryClass }).class], shift };
};

/** The facts about the address itself, in order of time, from the log-odds of the initial state on. */
function factShifts(input: BeliefInput): EvidenceShift[] {
  const { model, host, initial, now } = input;
  const observed = observedBy(input);
  const shifts: EvidenceShift[] = [];
  let [last, aged, next] = [logOddsOf(initialBounce(initial)), 0, 0];
  filtered(tablesAt(model, host), observed, now, (masses, isAge) => {
    const reached = logOddsOf(bounceOf(masses, initial));
    const shift = reached - last;
    last = reached;
    if (isAge) aged += shift;
    else {
      shifts.push(shiftOf(observed[next] as Observed, shift));
      next += 1;
    }
  });
  aged += logOddsOf(bounceProbability(input)) - last;
  return Math.abs(aged) < 1e-12 ? shifts : [...shifts, { code: 'age', shift: aged }];
}

/** Every piece of evidence behind a probability, with how far it moved the log-odds; the first is where they begin. */
export const evidenceShifts = (input: BeliefInput, context: PredictionContext, bounds: Bounds): EvidenceShift[] => [
  ...initialShifts(input.model, context, input, bounds),
  ...factShifts(input),
];
