import { DAY_MS } from '../../kernel/clock.ts';
import { zeros } from '../../kernel/vector.ts';
import type { FirstState } from './first-state.ts';
import { ANSWER_COUNT, type HostTables } from './host-tables.ts';

/**
 * The state of an address: what its server answers for it, and whether mail to it bounces, by what its domain accepts and by
 * whether it bounced when it was first seen. 32 masses: domain kind, first, now, answer.
 */
export type Masses = number[];

const BY_NOW = ANSWER_COUNT;
const BY_FIRST = 2 * BY_NOW;
const BY_KIND = 2 * BY_FIRST;
const MASSES = 2 * BY_KIND;

type Bit = 0 | 1;
export const BITS: readonly Bit[] = [0, 1];
/** Where the four masses by answer begin. */
export const placeOf = (kind: Bit, first: Bit, now: Bit): number => kind * BY_KIND + first * BY_FIRST + now * BY_NOW;

/**
 * Something that was seen of an address at a time: how likely it was by the server's answer, for a provider's answer; by
 * whether mail lands or bounces, for a report or proof.
 */
export interface Sighting {
  readonly at: number;
  readonly byAnswer: readonly number[] | null;
  readonly lands: number;
  readonly bounces: number;
}

/** P(state | first state, kind of domain), before anything was seen. */
function untouched({ kinds }: HostTables): Masses {
  const masses = zeros(MASSES);
  for (const kind of BITS)
    for (const first of BITS) {
      const place = placeOf(kind, first, first);
      const shares = kinds[kind].answers[first];
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) masses[place + answer] = shares[answer] ?? 0;
    }
  return masses;
}

/** What happens to a mailbox in a time. */
interface Passing {
  /** P(it begins to bounce), P(it lands again), P(the server's answer stays as it is, if mail does). */
  readonly dies: number;
  readonly recovers: number;
  readonly stays: number;
}

function passing({ kinds, recovery, redraw }: HostTables, kind: Bit, years: number): Passing {
  const { churn } = kinds[kind];
  const both = churn + recovery;
  const moved = both === 0 ? 0 : -Math.expm1(-both * years) / both;
  return { dies: churn * moved, recovers: recovery * moved, stays: Math.exp(-redraw * years) };
}

/** Lets time pass, forwards. */
function age(tables: HostTables, masses: Masses, years: number): void {
  for (const kind of BITS) {
    const { dies, recovers, stays } = passing(tables, kind, years);
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

function see(masses: Masses, { byAnswer, lands, bounces }: Sighting): void {
  for (let place = 0; place < MASSES; place += BY_NOW) {
    const likelihood = (place / BY_NOW) % 2 === 0 ? lands : bounces;
    for (let answer = 0; answer < ANSWER_COUNT; answer += 1)
      masses[place + answer] = (masses[place + answer] ?? 0) * likelihood * (byAnswer?.[answer] ?? 1);
  }
}

const YEAR_MS = 365 * DAY_MS;
const yearsBetween = (from: number, to: number): number => Math.max(0, to - from) / YEAR_MS;

/** Called with the masses after a time has passed, and after each sighting. */
export type Watch = (masses: Masses, isAge: boolean) => void;

/**
 * The masses after the last sighting, or at `now` where it is given. `sightings` are in order of time, none after `now`. An
 * address is first seen at its first sighting: merely looking at it never ages it.
 */
export function filtered(
  tables: HostTables,
  sightings: readonly Sighting[],
  now: number | null,
  watch?: Watch,
): Masses {
  const masses = untouched(tables);
  let last = sightings[0]?.at ?? now ?? 0;
  const pass = (to: number): void => {
    const years = yearsBetween(last, to);
    if (years === 0) return;
    age(tables, masses, years);
    last = to;
    watch?.(masses, true);
  };
  for (const seen of sightings) {
    pass(seen.at);
    see(masses, seen);
    watch?.(masses, false);
  }
  if (now !== null) pass(now);
  return masses;
}

/** P(kind of domain, first) of the first state, in the order of the masses. */
export function firstWeights({ acceptsAll, deadStrict, deadAcceptsAll }: FirstState): number[] {
  return [
    (1 - acceptsAll) * (1 - deadStrict),
    (1 - acceptsAll) * deadStrict,
    acceptsAll * (1 - deadAcceptsAll),
    acceptsAll * deadAcceptsAll,
  ];
}

/** Where the four numbers by answer begin, of what happens at the end. */
export const backPlace = (kind: Bit, state: Bit): number => kind * BY_FIRST + state * BY_NOW;
/** Where what bounces at the end begins; what lands begins at 0. */
export const BY_END = 2 * BY_FIRST;

/**
 * P(what is seen after each sighting, and mail lands or bounces at `now` | state at that sighting): for each sighting 32
 * numbers, by what happens at `now`, then kind, state and answer. The filter's other direction.
 */
export function lookingBack(
  tables: HostTables,
  sightings: readonly Sighting[],
  now: number,
): readonly (readonly number[])[] {
  const back = zeros(2 * BY_END);
  for (const end of BITS)
    for (const kind of BITS) {
      const place = end * BY_END + backPlace(kind, end);
      back.fill(1, place, place + ANSWER_COUNT);
    }
  const found: number[][] = [];
  let later = now;
  for (let at = sightings.length - 1; at >= 0; at -= 1) {
    const seen = sightings[at] as Sighting;
    const years = yearsBetween(seen.at, later);
    if (years > 0) ageBack(tables, back, years);
    later = seen.at;
    found[at] = back.slice();
    see(back, seen);
  }
  return found;
}

function ageBack(tables: HostTables, back: number[], years: number): void {
  for (const kind of BITS) {
    const { dies, recovers, stays } = passing(tables, kind, years);
    const [landing, bouncing] = tables.kinds[kind].answers;
    for (const end of BITS) {
      const [lands, bounces] = [end * BY_END + backPlace(kind, 0), end * BY_END + backPlace(kind, 1)];
      let [landed, bounced] = [0, 0];
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) {
        landed += (landing[answer] ?? 0) * (back[lands + answer] ?? 0);
        bounced += (bouncing[answer] ?? 0) * (back[bounces + answer] ?? 0);
      }
      for (let answer = 0; answer < ANSWER_COUNT; answer += 1) {
        back[lands + answer] =
          (1 - dies) * (stays * (back[lands + answer] ?? 0) + (1 - stays) * landed) + dies * bounced;
        back[bounces + answer] =
          (1 - recovers) * (stays * (back[bounces + answer] ?? 0) + (1 - stays) * bounced) + recovers * landed;
      }
    }
  }
}
