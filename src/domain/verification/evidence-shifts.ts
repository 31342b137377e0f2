import type { Purpose } from '../../contract/vocabulary.ts';
import { filtered, firstWeights } from './filter.ts';
import {
  bounded,
  type FirstState,
  type FirstStateInput,
  firstBounce,
  levelsAround,
  stateAmong,
} from './first-state.ts';
import type { DeliveryClass, Feature, LifeClass } from './history.ts';
import { tablesAt } from './host-tables.ts';
import type { Model } from './model.ts';
import { type BeliefInput, bounceOf } from './posterior.ts';
import type { ProviderId, ProviderVerdict } from './provider.ts';
import { type Evidenced, sightingsOf } from './sightings.ts';

/** What a piece of evidence is called in a trace. */
export type EvidenceCode =
  /** Where the log-odds begin: an address of this host of which nothing is known. */
  | 'stranger'
  | 'purpose'
  | Feature
  | 'shared_flag'
  | 'domain_bounces'
  | 'domain_delivers'
  | 'list_bounces'
  | 'list_delivers'
  /** What the bound on neighbours takes back. */
  | 'neighbours_bound'
  | 'answer'
  | 'bounced_before'
  | 'full_before'
  | 'deferred_before'
  | 'delivered_before'
  | 'complained_before'
  | LifeClass
  /** The time between what was seen, and since. */
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

const logOdds = (probability: number): number => Math.log(probability / (1 - probability));

/** What the address, its purpose and its neighbours say, one after the other: up to the log-odds of the first state. */
function firstShifts(model: Model, input: FirstStateInput): EvidenceShift[] {
  const { host, features, purpose, acceptsAllOdds } = input;
  const shifts: EvidenceShift[] = [];
  let last = 0;
  const add = (codeOf: (shift: number) => EvidenceCode, state: FirstState): void => {
    const reached = logOdds(firstBounce(state));
    shifts.push({ code: codeOf(reached - last), shift: reached - last });
    last = reached;
  };
  const alone = (shown: readonly Feature[], forPurpose: Purpose | null, odds = 1): FirstState =>
    stateAmong(model, { host, features: shown, purpose: forPurpose, acceptsAllOdds: odds }, null, null);
  add(() => 'stranger', alone([], null));
  if (purpose !== null) add(() => 'purpose', alone([], purpose));
  features.forEach((feature, at) => add(() => feature, alone(features.slice(0, at + 1), purpose)));
  const stranger = alone(features, purpose, acceptsAllOdds);
  if (acceptsAllOdds !== 1) add(() => 'shared_flag', stranger);
  const { domain, list } = levelsAround(input);
  if (domain === null && list === null) return shifts;
  if (domain !== null)
    add((shift) => (shift > 0 ? 'domain_bounces' : 'domain_delivers'), stateAmong(model, input, domain, null));
  const state = stateAmong(model, input, domain, list);
  if (list !== null) add((shift) => (shift > 0 ? 'list_bounces' : 'list_delivers'), state);
  const held = bounded(state, stranger, input);
  if (held !== state) add(() => 'neighbours_bound', held);
  return shifts;
}

const shiftOf = (seen: Evidenced, shift: number): EvidenceShift => {
  if (seen.kind === 'answer') return { code: 'answer', shift, provider: seen.of.provider, verdict: seen.of.verdict };
  return { code: seen.kind === 'report' ? REPORT_CODES[seen.of.class] : seen.of.class, shift };
};

/** What was seen of the address itself, in order of time, from the log-odds of the first state on. */
function seenShifts({ model, host, first, now, ...seen }: BeliefInput): EvidenceShift[] {
  const weights = firstWeights(first);
  const sightings = sightingsOf(model, host, seen, now);
  const shifts: EvidenceShift[] = [];
  let [last, aged, next] = [logOdds(firstBounce(first)), 0, 0];
  filtered(tablesAt(model, host), sightings, now, (masses, isAge) => {
    const reached = logOdds(bounceOf(masses, weights));
    const shift = reached - last;
    last = reached;
    if (isAge) aged += shift;
    else {
      shifts.push(shiftOf(sightings[next] as Evidenced, shift));
      next += 1;
    }
  });
  return aged === 0 ? shifts : [...shifts, { code: 'age', shift: aged }];
}

/** Every piece of evidence behind a probability, with how far it moved the log-odds; the first is where they begin. */
export const evidenceShifts = (input: BeliefInput, firstInput: FirstStateInput): EvidenceShift[] => [
  ...firstShifts(input.model, firstInput),
  ...seenShifts(input),
];
