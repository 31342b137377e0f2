import type { Purpose } from '../../contract/vocabulary.ts';
import { logOddsOf } from '../../kernel/probability.ts';
import { filtered, initialBounce } from '../belief/chain.ts';
import type { Observed } from '../belief/evidence.ts';
import type { DeliveryClass, Feature, LifeClass } from '../belief/facts.ts';
import { type Groups, NO_GROUPS, predict, type PredictionContext, baselineAt } from '../belief/groups.ts';
import { type Model, tablesAt } from '../belief/model.ts';
import { type BeliefInput, bounceOf, bounceProbability, observedBy } from '../belief/posterior.ts';
import type { ProviderId, ProviderVerdict } from '../belief/provider.ts';

export type EvidenceCode =
  /** The starting log-odds: an address of this host about which nothing is known. */
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
  /** Time between the facts and since, and what is forgotten or left out. */
  | 'age';

/** How far one piece of evidence moved the log-odds of a bounce. All shifts add up to the answer's log-odds. */
export interface EvidenceShift {
  readonly code: EvidenceCode;
  readonly shift: number;
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

/** Log-odds of a bounce by the account's groups, then with the domain's, then with the list's. Identifies nobody. */
export type GroupSteps = readonly [account: number, domain: number, list: number];

const logOddsBy = (model: Model, context: PredictionContext, reads?: 'none'): number =>
  logOddsOf(initialBounce(predict(model, context, reads).state));

/** The group steps that a trace stores for its evidence. */
export function groupSteps(model: Model, context: PredictionContext): GroupSteps {
  const { account, catchAlls, domain } = context.groups;
  const among = (some: Partial<Groups>): number => logOddsBy(model, { ...context, groups: { ...NO_GROUPS, ...some } });
  return [among({ account, catchAlls }), among({ account, catchAlls, domain }), logOddsBy(model, context)];
}

/** Shifts of the address, its purpose and its groups, up to the initial state. */
function initialShifts(
  { model, host, features, purpose, initial, now }: BeliefInput,
  sharedAcceptsAll: number,
  [account, domain, list]: GroupSteps,
): EvidenceShift[] {
  const shifts: EvidenceShift[] = [];
  let last = 0;
  const add = (codeOf: (shift: number) => EvidenceCode, reached: number): void => {
    if (shifts.length === 0 || reached !== last) shifts.push({ code: codeOf(reached - last), shift: reached - last });
    last = reached;
  };
  const alone = (shown: readonly Feature[], forPurpose: Purpose | null, shared = 0): number => {
    const baseline = baselineAt({ host, features: shown, purpose: forPurpose, now });
    return logOddsBy(model, { ...baseline, sharedAcceptsAll: shared }, 'none');
  };
  add(() => 'stranger', alone([], null));
  if (purpose !== null) add(() => 'purpose', alone([], purpose));
  features.forEach((feature, at) => add(() => feature, alone(features.slice(0, at + 1), purpose)));
  add(() => 'shared_flag', alone(features, purpose, sharedAcceptsAll));
  add((shift) => (shift > 0 ? 'account_bounces' : 'account_delivers'), account);
  add((shift) => (shift > 0 ? 'domain_bounces' : 'domain_delivers'), domain);
  add((shift) => (shift > 0 ? 'list_bounces' : 'list_delivers'), list);
  add(() => 'neighbours_bound', logOddsOf(initialBounce(initial)));
  return shifts;
}

const shiftOf = (seen: Observed, shift: number): EvidenceShift => {
  if ('verdict' in seen.of) return { code: 'answer', shift, provider: seen.of.provider, verdict: seen.of.verdict };
  if (seen.kind === 'proof') return { code: seen.of.class, shift };
  return { code: REPORT_CODES[(seen.of as { class: DeliveryClass }).class], shift };
};

/** Shifts of the address's facts in order of time, from the initial state on. */
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

/** All shifts behind a probability; the first is the starting point. */
export const evidenceShifts = (input: BeliefInput, sharedAcceptsAll: number, steps: GroupSteps): EvidenceShift[] => [
  ...initialShifts(input, sharedAcceptsAll, steps),
  ...factShifts(input),
];
