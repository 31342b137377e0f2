import type { Purpose } from '../../contract/vocabulary.ts';
import { betaInterval, type Interval, zeros } from '../../kernel/probability.ts';
import { BITS, filtered, type InitialState, initialWeights, type Joint, placeOf } from './chain.ts';
import { type Observed, observedIn, type SourceErrors } from './evidence.ts';
import { type Facts, type Feature, memoriesOf } from './facts.ts';
import type { HostClass } from './host-class.ts';
import { ANSWER_COUNT, type HostTables, type Model, tablesAt } from './model.ts';
import type { ProviderVerdict } from './provider.ts';

export interface Belief {
  /** Posterior mean of the probability that a message sent now hard-bounces. */
  readonly probability: number;
  /** 90 % credible interval, which includes the mean. */
  readonly interval: Interval;
}

/** The belief where a finding (invalid syntax, no mail host) or a rule of the account settles it. */
export const CERTAIN_BOUNCE: Belief = { probability: 1, interval: [1, 1] };

/** Everything the bounce probability follows from. Times in epoch milliseconds. */
export interface BeliefInput extends Facts {
  readonly model: Model;
  readonly host: HostClass;
  /** Their number widens the interval; their effect is in `initial`. */
  readonly features: readonly Feature[];
  readonly purpose: Purpose | null;
  readonly initial: InitialState;
  readonly errors?: SourceErrors;
  readonly now: number;
}

/** Purposes for which the address is claimed to be read now, or is checked because that is unknown. */
const DISTRUSTS_OLD_FACTS: ReadonlySet<Purpose | null> = new Set<Purpose | null>(['signup', 'list_hygiene']);

/**
 * The facts without good ones up to each date. An old delivery shows that the mailbox was alive then, which counts
 * against one that has had time to die since, while somebody who returns with it says more. So the lowest of these
 * beliefs applies.
 */
function withoutOldGood(facts: Facts, purpose: Purpose | null): Facts[] {
  if (!DISTRUSTS_OLD_FACTS.has(purpose)) return [facts];
  const isGoodReport = ({ class: kind }: Facts['reports'][number]): boolean =>
    kind === 'delivered' || kind === 'complaint';
  const isGoodAnswer = ({ verdict }: Facts['answers'][number]): boolean => verdict === 'deliverable';
  const dates = datesOf([
    ...facts.answers.filter(isGoodAnswer),
    ...facts.reports.filter(isGoodReport),
    ...facts.proofs,
  ]);
  return [
    facts,
    ...dates.map((until) => ({
      answers: facts.answers.filter((each) => each.at > until || !isGoodAnswer(each)),
      reports: facts.reports.filter((each) => each.at > until || !isGoodReport(each)),
      proofs: facts.proofs.filter(({ at }) => at > until),
    })),
  ];
}

const datesOf = (facts: readonly { readonly at: number }[]): number[] => [...new Set(facts.map(({ at }) => at))];

/** The facts without answers of this verdict from each date on. */
function withoutNew(facts: Facts, without: ProviderVerdict): Facts[] {
  const dates = datesOf(facts.answers.filter(({ verdict }) => verdict === without));
  return [
    facts,
    ...dates.map((since) => ({
      ...facts,
      answers: facts.answers.filter(({ verdict, at }) => verdict !== without || at < since),
    })),
  ];
}

interface Run {
  readonly weight: number;
  readonly observed: readonly Observed[];
  /** P(kind, first, now, answer | facts), normalised. */
  readonly joint: readonly number[];
  readonly bounces: number;
}

function runOf({ model, host, initial, errors, now }: BeliefInput, facts: Facts, weight: number): Run {
  const observed = observedIn(model, host, facts, now, errors);
  const masses = filtered(tablesAt(model, host), observed, now);
  const joint = jointOf(masses, initialWeights(initial));
  const [landTotal, bounceTotal] = [sumOver(joint, 0), sumOver(joint, 1)];
  const total = landTotal + bounceTotal;
  for (let place = 0; place < joint.length; place += 1) joint[place] = (joint[place] ?? 0) / total;
  return { weight, observed, joint, bounces: bounceTotal / total };
}

/** The run in which mail bounces least (-1) or most (1). */
function extreme(runs: readonly Run[], sign: 1 | -1): Run {
  return runs.reduce((best, run) => (sign * run.bounces > sign * best.bounces ? run : best));
}

/** One run for each length of memory, by all facts except good ones that now count against the address. */
const runsWith = (input: BeliefInput, runOfFacts: (facts: Facts, weight: number) => Run): readonly Run[] =>
  memoriesOf(input, input.now).map(({ weight, facts }) => runOfFacts(facts, weight));

/** The runs for the router. Silence counts: a silent provider would stay silent. */
const silentRunsOf = (input: BeliefInput): readonly Run[] =>
  runsWith(input, (facts, weight) =>
    extreme(
      withoutOldGood(facts, input.purpose).map((some) => runOf(input, some, weight)),
      -1,
    ),
  );

/** The runs whose mean is the belief. An `unknown` never makes an address look worse, and a refusal never better. */
const runsOf = (input: BeliefInput): readonly Run[] =>
  runsWith(input, (facts, weight) => {
    const leasts = withoutNew(facts, 'undeliverable').map((refused) =>
      extreme(
        withoutOldGood(refused, input.purpose)
          .flatMap((some) => withoutNew(some, 'unknown'))
          .map((some) => runOf(input, some, weight)),
        -1,
      ),
    );
    return extreme(leasts, 1);
  });

const meanOf = (runs: readonly Run[]): number => runs.reduce((sum, { weight, bounces }) => sum + weight * bounces, 0);

function jointOf(masses: Joint, weights: readonly number[]): number[] {
  const perFirst = masses.length / weights.length;
  const joint = zeros(masses.length);
  for (let place = 0; place < masses.length; place += 1)
    joint[place] = (masses[place] ?? 0) * (weights[Math.floor(place / perFirst)] ?? 0);
  return joint;
}

function sumOver(joint: readonly number[], now: 0 | 1): number {
  let sum = 0;
  for (const kind of BITS)
    for (const first of BITS) {
      const place = placeOf(kind, first, now);
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) sum += joint[place + answer] ?? 0;
    }
  return sum;
}

export function bounceOf(masses: Joint, initial: InitialState): number {
  const joint = jointOf(masses, initialWeights(initial));
  const bounces = sumOver(joint, 1);
  return bounces / (bounces + sumOver(joint, 0));
}

/** The nearest a probability comes to certainty, so that every shift of log-odds is finite. */
const NEAREST = 1e-6;
const inside = (probability: number): number => Math.min(1 - NEAREST, Math.max(NEAREST, probability));

export const bounceProbability = (input: BeliefInput): number => inside(meanOf(runsOf(input)));

/** One number for each answer of the server, in the order of `ANSWERS`. */
export type PerAnswer = readonly [number, number, number, number];

/** For each answer of the server, the joint probability of the facts, that answer, and bouncing or landing. */
export interface State {
  readonly bounce: PerAnswer;
  readonly land: PerAnswer;
}

/** The state now, as the router reads it, normalised. */
export function stateNow(input: BeliefInput): State {
  const runs = silentRunsOf(input);
  const shareOf = (at: 0 | 1, answer: number): number => {
    let sum = 0;
    for (const { weight, joint } of runs)
      for (const kind of BITS)
        for (const first of BITS) sum += weight * (joint[placeOf(kind, first, at) + answer] ?? 0);
    return sum;
  };
  const perAnswer = (at: 0 | 1): PerAnswer => [shareOf(at, 0), shareOf(at, 1), shareOf(at, 2), shareOf(at, 3)];
  return { bounce: perAnswer(1), land: perAnswer(0) };
}

/** The facts behind the belief in order of time, without those left out. */
export const observedBy = (input: BeliefInput): readonly Observed[] => runsOf(input).at(-1)?.observed ?? [];

/**
 * The bounce probability now, by all the account knows. The interval comes from the delta method on the log-odds (each
 * figure's first-order effect times its capped variance), carried by the Beta of the same mean.
 */
export function believe(input: BeliefInput): Belief {
  const runs = runsOf(input);
  const probability = inside(meanOf(runs));
  let variance = 0;
  for (const run of runs) variance += run.weight * varianceOf(input, run);
  const [low, high] = betaInterval(probability, 1 / (probability * (1 - probability) * variance));
  return { probability, interval: [inside(low), inside(high)] };
}

function varianceOf(input: BeliefInput, { observed, joint, bounces }: Run): number {
  const { model, host, initial, now } = input;
  const tables = tablesAt(model, host);
  const [landTotal, bounceTotal] = [Math.max(NEAREST, 1 - bounces), Math.max(NEAREST, bounces)];
  return (
    cellVariance(tables, joint, landTotal, bounceTotal) +
    answerVariance(observed, joint, landTotal, bounceTotal) +
    reportVariance(tables, observed, initialWeights(initial), now) +
    initialVariance(input, joint, landTotal, bounceTotal)
  );
}

/** Share from the bounce rates of the cells. */
function cellVariance({ kinds }: HostTables, joint: readonly number[], landTotal: number, bounceTotal: number): number {
  let variance = 0;
  for (const kind of BITS) {
    const { cellRates, cellVariance: variances } = kinds[kind];
    for (let answer = 0; answer < ANSWER_COUNT; answer += 1) {
      const rate = cellRates[answer] ?? 0;
      const mass = (now: 0 | 1): number =>
        (joint[placeOf(kind, 0, now) + answer] ?? 0) + (joint[placeOf(kind, 1, now) + answer] ?? 0);
      const pull = (mass(1) / bounceTotal) * (1 - rate) + (mass(0) / landTotal) * rate;
      variance += pull ** 2 * (variances[answer] ?? 0);
    }
  }
  return variance;
}

/** Share from the providers' rows, by the server's answer now. */
function answerVariance(
  observed: readonly Observed[],
  joint: readonly number[],
  landTotal: number,
  bounceTotal: number,
): number {
  const pull = zeros(ANSWER_COUNT);
  for (const kind of BITS)
    for (const first of BITS)
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1)
        pull[answer] =
          (pull[answer] ?? 0) +
          (joint[placeOf(kind, first, 1) + answer] ?? 0) / bounceTotal -
          (joint[placeOf(kind, first, 0) + answer] ?? 0) / landTotal;
  let variance = 0;
  for (const seen of observed) {
    if (seen.kind !== 'answer') continue;
    for (let answer = 0; answer < ANSWER_COUNT; answer += 1)
      variance += (pull[answer] ?? 0) ** 2 * (seen.variance[answer] ?? 0);
  }
  return variance;
}

/** Share from the reports, by how much the state then decides the state now. */
function reportVariance(
  tables: HostTables,
  observed: readonly Observed[],
  weights: readonly number[],
  now: number,
): number {
  const massesOf = (facts: readonly Observed[]): readonly number[] => {
    const joint = jointOf(filtered(tables, facts, now), weights);
    return BITS.map((end) => sumOver(joint, end));
  };
  if (!observed.some(({ kind }) => kind === 'report')) return 0;
  const all = massesOf(observed);
  let variance = 0;
  observed.forEach((seen, at) => {
    if (seen.kind !== 'report') return;
    const landed = massesOf(observed.with(at, { ...seen, bounces: 0 }));
    /** P(bounced at the report | bounces or lands now). */
    const [ifLands, ifBounces] = BITS.map((end) => 1 - (landed[end] ?? 0) / (all[end] ?? 0)) as [number, number];
    variance += (ifBounces - ifLands) ** 2 * seen.variance;
  });
  return variance;
}

/** Variance of the log of the churn rate. */
const CHURN_VARIANCE = 0.1;
/** Variances of the log-odds: the host's rate, and each feature's addition. */
const RATE_VARIANCE = 0.06;
const FEATURE_VARIANCE = 0.25;

/** Share from churn, groups, features and the host's rate. */
function initialVariance(
  { initial, features }: Pick<BeliefInput, 'initial' | 'features'>,
  joint: readonly number[],
  landTotal: number,
  bounceTotal: number,
): number {
  const begun = (from: 0 | 1, now: 0 | 1): number => {
    let sum = 0;
    for (const kind of BITS)
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) sum += joint[placeOf(kind, from, now) + answer] ?? 0;
    return sum;
  };
  const died = begun(0, 1) / bounceTotal;
  const pull = begun(1, 1) / bounceTotal - begun(1, 0) / landTotal;
  return (
    died ** 2 * CHURN_VARIANCE + pull ** 2 * (initial.variance + RATE_VARIANCE + FEATURE_VARIANCE * features.length)
  );
}
