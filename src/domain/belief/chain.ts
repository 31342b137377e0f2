import { DAY_MS } from '../../kernel/clock.ts';
import { zeros } from '../../kernel/probability.ts';
import { ANSWER_COUNT, type HostTables } from './model.ts';

/**
 * A hidden Markov model of one address: its server's answer and whether mail bounces, given the kind of domain and the
 * initial state. Joint distribution of 32 values: domain kind, first, now, answer.
 */
export type Joint = number[];

const BY_NOW = ANSWER_COUNT;
const BY_FIRST = 2 * BY_NOW;
const BY_KIND = 2 * BY_FIRST;
const MASSES = 2 * BY_KIND;

export type Bit = 0 | 1;
export const BITS: readonly Bit[] = [0, 1];
/** Index of the first of the four values by answer. */
export const placeOf = (kind: Bit, first: Bit, now: Bit): number => kind * BY_KIND + first * BY_FIRST + now * BY_NOW;

/** P(bounces when first seen) by kind of domain, and P(the domain accepts every recipient). */
export interface InitialState {
  readonly acceptsAll: number;
  readonly bounceStrict: number;
  readonly bounceAcceptsAll: number;
  /** Variance of the log-odds of a bounce over the groups. */
  readonly variance: number;
}

/** P(bounces when first seen). */
export const initialBounce = ({
  acceptsAll,
  bounceStrict,
  bounceAcceptsAll,
}: Pick<InitialState, 'acceptsAll' | 'bounceStrict' | 'bounceAcceptsAll'>): number =>
  (1 - acceptsAll) * bounceStrict + acceptsAll * bounceAcceptsAll;

/**
 * A fact's likelihood at a time: by the server's answer for a provider's answer; by landing or bouncing for a report or
 * a proof.
 */
export interface Evidence {
  readonly at: number;
  readonly byAnswer: readonly number[] | null;
  readonly lands: number;
  readonly bounces: number;
}

/** P(state | initial state, kind of domain) before any fact. */
function unconditioned({ kinds }: HostTables): Joint {
  const masses = zeros(MASSES);
  for (const kind of BITS)
    for (const first of BITS) {
      const place = placeOf(kind, first, first);
      const shares = kinds[kind].answers[first];
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) masses[place + answer] = shares[answer] ?? 0;
    }
  return masses;
}

interface Transition {
  /** P(starts to bounce), P(lands again), P(the server's answer stays, if the mailbox does). */
  readonly dies: number;
  readonly recovers: number;
  readonly stays: number;
}

function transition({ kinds, recovery, redraw }: HostTables, kind: Bit, years: number): Transition {
  const { churn } = kinds[kind];
  const both = churn + recovery;
  const moved = both === 0 ? 0 : -Math.expm1(-both * years) / both;
  return { dies: churn * moved, recovers: recovery * moved, stays: Math.exp(-redraw * years) };
}

/** Applies the transition over a time. */
function age(tables: HostTables, masses: Joint, years: number): void {
  for (const kind of BITS) {
    const { dies, recovers, stays } = transition(tables, kind, years);
    const [landing, bouncing] = tables.kinds[kind].answers;
    for (const first of BITS) {
      const [lands, bounces] = [placeOf(kind, first, 0), placeOf(kind, first, 1)];
      let [landed, bounced] = [0, 0];
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) {
        landed += masses[lands + answer] ?? 0;
        bounced += masses[bounces + answer] ?? 0;
      }
      const toLands = (1 - dies) * (1 - stays) * landed + recovers * bounced;
      const toBounces = (1 - recovers) * (1 - stays) * bounced + dies * landed;
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) {
        masses[lands + answer] = (1 - dies) * stays * (masses[lands + answer] ?? 0) + toLands * (landing[answer] ?? 0);
        masses[bounces + answer] =
          (1 - recovers) * stays * (masses[bounces + answer] ?? 0) + toBounces * (bouncing[answer] ?? 0);
      }
    }
  }
}

function condition(masses: Joint, { byAnswer, lands, bounces }: Evidence): void {
  for (let place = 0; place < MASSES; place += BY_NOW) {
    const likelihood = (place / BY_NOW) % 2 === 0 ? lands : bounces;
    for (let answer = 0; answer < ANSWER_COUNT; answer += 1)
      masses[place + answer] = (masses[place + answer] ?? 0) * likelihood * (byAnswer?.[answer] ?? 1);
  }
}

const YEAR_MS = 365 * DAY_MS;
const yearsBetween = (from: number, to: number): number => Math.max(0, to - from) / YEAR_MS;

/** Called with the distribution after each passage of time and after each fact. */
export type Watch = (masses: Joint, isAge: boolean) => void;

/**
 * Forward filter: the distribution after the last fact, or at `now` if given. `facts` are in order of time, none after
 * `now`. An address is first seen at its first fact: looking at it never ages it.
 */
export function filtered(tables: HostTables, facts: readonly Evidence[], now: number | null, watch?: Watch): Joint {
  const masses = unconditioned(tables);
  let last = facts[0]?.at ?? now ?? 0;
  const pass = (to: number): void => {
    const years = yearsBetween(last, to);
    if (years === 0) return;
    age(tables, masses, years);
    last = to;
    watch?.(masses, true);
  };
  for (const fact of facts) {
    pass(fact.at);
    condition(masses, fact);
    watch?.(masses, false);
  }
  if (now !== null) pass(now);
  return masses;
}

/** The facts' likelihood by kind of domain and initial state. */
export type Likelihood = readonly [
  strict: readonly [lands: number, bounces: number],
  acceptsAll: readonly [lands: number, bounces: number],
];

/** P(facts), given P(bounced at first). */
export const marginal = (bounced: number, [lands, bounces]: Likelihood[number]): number =>
  (1 - bounced) * lands + bounced * bounces;

export function likelihoodOf(tables: HostTables, facts: readonly Evidence[]): Likelihood {
  const masses = filtered(tables, facts, null);
  const of = (kind: Bit, first: Bit): number => {
    let sum = 0;
    for (const now of BITS)
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) sum += masses[placeOf(kind, first, now) + answer] ?? 0;
    return sum;
  };
  return [
    [of(0, 0), of(0, 1)],
    [of(1, 0), of(1, 1)],
  ];
}

/** P(kind of domain, first), in the order of the joint distribution. */
export function initialWeights({ acceptsAll, bounceStrict, bounceAcceptsAll }: InitialState): number[] {
  return [
    (1 - acceptsAll) * (1 - bounceStrict),
    (1 - acceptsAll) * bounceStrict,
    acceptsAll * (1 - bounceAcceptsAll),
    acceptsAll * bounceAcceptsAll,
  ];
}
