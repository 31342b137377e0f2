import { betaInterval } from '../../kernel/probability.ts';
import { zeros } from '../../kernel/vector.ts';
import type { Belief } from './belief.ts';
import { BITS, BY_END, backPlace, filtered, firstWeights, lookingBack, type Masses, placeOf } from './filter.ts';
import type { FirstState } from './first-state.ts';
import type { Feature } from './history.ts';
import type { HostClass } from './host-class.ts';
import { ANSWER_COUNT, type HostTables, tablesAt } from './host-tables.ts';
import type { PerAnswer, State } from './lookahead.ts';
import type { Model } from './model.ts';
import { type Evidenced, type Seens, sightingsOf } from './sightings.ts';

/** Everything that the bounce probability of an address follows from. Times in epoch milliseconds. */
export interface BeliefInput extends Seens {
  readonly model: Model;
  readonly host: HostClass;
  /** How many of them are on widens the interval; what they say stands in `first`. */
  readonly features: readonly Feature[];
  readonly first: FirstState;
  readonly now: number;
}

/** P(what was seen, first, state now) by kind, first, now and answer. */
function jointOf(masses: Masses, weights: readonly number[]): number[] {
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

/** P(mail bounces) by these masses. */
export function bounceOf(masses: Masses, weights: readonly number[]): number {
  const joint = jointOf(masses, weights);
  const bounces = sumOver(joint, 1);
  return bounces / (bounces + sumOver(joint, 0));
}

/** The posterior mean alone. */
export function bounceProbability(input: Omit<BeliefInput, 'features'>): number {
  const { model, host, first, now } = input;
  return bounceOf(filtered(tablesAt(model, host), sightingsOf(model, host, input, now), now), firstWeights(first));
}

/** The state of an address now, as the router reads it: all add up to 1. */
export function stateNow(input: Omit<BeliefInput, 'features'>): State {
  const { model, host, first, now } = input;
  const masses = filtered(tablesAt(model, host), sightingsOf(model, host, input, now), now);
  const joint = jointOf(masses, firstWeights(first));
  const total = sumOver(joint, 0) + sumOver(joint, 1);
  const shareOf = (at: 0 | 1, answer: number): number =>
    BITS.reduce<number>(
      (sum, kind) =>
        sum + BITS.reduce<number>((all, begun) => all + (joint[placeOf(kind, begun, at) + answer] ?? 0), 0),
      0,
    ) / total;
  const perAnswer = (at: 0 | 1): PerAnswer => [shareOf(at, 0), shareOf(at, 1), shareOf(at, 2), shareOf(at, 3)];
  return { bounce: perAnswer(1), land: perAnswer(0) };
}

/**
 * The bounce probability of an address now, by all that the account knows of it.
 *
 * The interval comes from the delta method on the log-odds: the first-order effect of each figure times its variance, which
 * is capped, since a figure is wrong by a factor; carried by the Beta of the same mean.
 */
export function believe(input: BeliefInput): Belief {
  const { model, host, first, now } = input;
  const tables = tablesAt(model, host);
  const sightings = sightingsOf(model, host, input, now);
  const weights = firstWeights(first);
  const joint = jointOf(filtered(tables, sightings, now), weights);
  const [landTotal, bounceTotal] = [sumOver(joint, 0), sumOver(joint, 1)];
  const probability = bounceTotal / (bounceTotal + landTotal);
  const variance =
    model.history.varianceFactor *
    (cellVariance(tables, joint, landTotal, bounceTotal) +
      answerVariance(sightings, joint, landTotal, bounceTotal) +
      reportVariance(tables, sightings, weights, now) +
      firstVariance(input, joint, landTotal, bounceTotal));
  return { probability, interval: betaInterval(probability, 1 / (probability * (1 - probability) * variance)) };
}

/** Bounce rates of the cells. */
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

/** The providers' rows, by the server's answer now. */
function answerVariance(
  sightings: readonly Evidenced[],
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
  for (const seen of sightings) {
    if (seen.kind !== 'answer') continue;
    for (let answer = 0; answer < ANSWER_COUNT; answer += 1)
      variance += (pull[answer] ?? 0) ** 2 * (seen.variance[answer] ?? 0);
  }
  return variance;
}

/** How sure each report is, by how much the state at its time decides the state now. */
function reportVariance(
  tables: HostTables,
  sightings: readonly Evidenced[],
  weights: readonly number[],
  now: number,
): number {
  const begin = sightings.findIndex(({ kind }) => kind === 'report');
  if (begin === -1) return 0;
  const then: number[][] = [];
  filtered(tables, sightings, null, (masses, isAge) => {
    if (!isAge) then.push(jointOf(masses, weights));
  });
  const back = lookingBack(tables, sightings.slice(begin), now);
  let variance = 0;
  sightings.forEach((seen, at) => {
    const [joint, later] = [then[at], back[at - begin]];
    if (seen.kind !== 'report' || joint === undefined || later === undefined) return;
    /** P(bounced at the report | what mail does now). */
    const bounced = BITS.map((end) => {
      const [landedThen, bouncedThen] = BITS.map((state) => stateThen(joint, later, end, state)) as [number, number];
      return bouncedThen / (bouncedThen + landedThen);
    }) as [number, number];
    variance += (bounced[1] - bounced[0]) ** 2 * seen.variance;
  });
  return variance;
}

function stateThen(joint: readonly number[], later: readonly number[], end: 0 | 1, state: 0 | 1): number {
  let sum = 0;
  for (const kind of BITS)
    for (const first of BITS) {
      const [place, back] = [placeOf(kind, first, state), end * BY_END + backPlace(kind, state)];
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1)
        sum += (joint[place + answer] ?? 0) * (later[back + answer] ?? 0);
    }
  return sum;
}

/** Variance of the log of the rate at which mailboxes die. */
const CHURN_VARIANCE = 0.1;
/** Variance of the log-odds of the host's rate, and of what each feature adds. */
const RATE_VARIANCE = 0.06;
const FEATURE_VARIANCE = 0.25;

/** Churn, the levels around the address, its features and its host's rate. */
function firstVariance(
  { first, features }: Pick<BeliefInput, 'first' | 'features'>,
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
  return died ** 2 * CHURN_VARIANCE + pull ** 2 * (first.variance + RATE_VARIANCE + FEATURE_VARIANCE * features.length);
}
