import type { Purpose } from '../../contract/vocabulary.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { usedAnswers } from './answer.ts';
import { BITS, filtered, type Masses, placeOf } from './filter.ts';
import { bounceAt, faded, levelsWithout, levelWeights, offsetOf } from './first-state.ts';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type Levels,
  type LevelsAround,
  type LevelUpdate,
  LIST_LEVELS,
  type Neighbours,
  type OwnPart,
  type Said,
} from './history.ts';
import { logOddsOf, partOf } from './history-codec.ts';
import { ANSWER_COUNT, DEAD, DOMAIN_STEPS, type HostTables, tablesAt } from './host-tables.ts';
import type { Model } from './model.ts';
import { sightingsOf } from './sightings.ts';

/** No address rules a level out further than this. */
const FLOOR = -8;

/** P(what was seen | kind of domain, first state). */
function likelihoods(masses: Masses): readonly (readonly [number, number])[] {
  return BITS.map(
    (kind) =>
      BITS.map((first) => {
        let sum = 0;
        for (const now of BITS)
          for (let answer = 0; answer < ANSWER_COUNT; answer += 1)
            sum += masses[placeOf(kind, first, now) + answer] ?? 0;
        return sum;
      }) as [number, number],
  );
}

/** Logarithms from the largest down, at least the floor. */
function fromTop(likely: Float64Array, fade: number): Float64Array {
  let top = 0;
  for (const each of likely) top = Math.max(top, each);
  const logs = new Float64Array(likely.length);
  for (let at = 0; at < logs.length; at += 1) logs[at] = fade * Math.max(FLOOR, Math.log((likely[at] ?? 0) / top));
  return logs;
}

/** What an address says of each level of its domain and its list, beside what `around` says of the other, `ageMs` later. */
function saidOf(
  tables: HostTables,
  purpose: Purpose,
  offset: number,
  seen: ReturnType<typeof likelihoods>,
  around: LevelsAround,
  ageMs: number,
): Said {
  const weights = levelWeights(tables, purpose, around.domain, around.list, 1);
  const [domain, list] = [new Float64Array(DOMAIN_LEVELS), new Float64Array(LIST_LEVELS)];
  const factor = Math.exp(offset);
  for (const kind of BITS) {
    const { odds } = tables.kinds[kind];
    const [ifLands, ifBounces] = seen[kind] ?? [0, 0];
    for (let level = 0; level < DOMAIN_STEPS; level += 1) {
      const weight = weights.domain[kind][level] ?? 0;
      let ofDomain = 0;
      for (let listLevel = 0; listLevel < LIST_LEVELS; listLevel += 1) {
        const bounces = bounceAt(odds[level * LIST_LEVELS + listLevel] ?? 0, factor, level);
        const likely = (1 - bounces) * ifLands + bounces * ifBounces;
        ofDomain += (weights.list[listLevel] ?? 0) * likely;
        list[listLevel] = (list[listLevel] ?? 0) + weight * likely;
      }
      domain[kind * DOMAIN_STEPS + level] = ofDomain;
    }
    // Hosts without domains that are given up: that level says nothing, so it stays where the others are.
    if ((tables.kinds[kind].levelShares[DEAD] ?? 0) === 0)
      domain[kind * DOMAIN_STEPS + DEAD] = domain[kind * DOMAIN_STEPS + Math.floor(DEAD / 2)] ?? 0;
  }
  // What is old has faded already.
  return { domain: fromTop(domain, faded('domain', ageMs)), list: fromTop(list, faded('list', ageMs)) };
}

/** Levels are compared with one another alone, so that the largest may stand at 0. */
export function centred(values: Float64Array): Float32Array {
  const top = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  return Float32Array.from(values, (value) => value - top);
}

/** The UTC day, since the epoch. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** An answer or a report says that the mailbox bounces. */
export const isRefused = ({ answers, reports }: Pick<AddressHistory, 'answers' | 'reports'>): boolean =>
  answers.some(({ verdict }) => verdict === 'undeliverable') ||
  reports.some((report) => report.class === 'user_unknown' || report.class === 'refused');

/** The levels with log-odds added, at this time. */
function moved(kind: keyof Neighbours, levels: Levels | null, by: Float64Array, now: number): Levels {
  const values = levelsWithout(kind, levels, null, now) ?? new Float64Array(by.length);
  return {
    values: centred(values.map((value, at) => value + (by[at] ?? 0))),
    at: Math.max(now, levels?.at ?? now),
    isReported: levels?.isReported ?? false,
    stoppedOn: levels?.stoppedOn ?? null,
  };
}

const partAt = (part: OwnPart, kind: keyof Neighbours, sign: number, now: number): Float64Array => {
  const factor = sign * faded(kind, now - part.at);
  return logOddsOf(part[kind]).map((value) => value * factor);
};

/** How addresses move the levels of their domain and list, by the figures of a model. */
export function levelUpdate(model: Model): LevelUpdate {
  const shift: LevelUpdate['shift'] = ({ domain, list }, part, sign, now) => ({
    domain: moved('domain', domain, partAt(part, 'domain', sign, now), now),
    list: moved('list', list, partAt(part, 'list', sign, now), now),
  });

  // As of its newest fact: so it says the same whenever it is asked, and what fades is all that time changes.
  const shown: LevelUpdate['shown'] = (address) => {
    const newest = Math.max(...address.answers.map(({ at }) => at), ...address.reports.map(({ at }) => at));
    const answers = usedAnswers(address.answers, newest);
    const sightings = sightingsOf(model, address.host, { answers, reports: address.reports, proofs: [] }, newest);
    if (sightings.length === 0) return null;
    const tables = tablesAt(model, address.host);
    const seen = likelihoods(filtered(tables, sightings, null));
    const offset = offsetOf(model, address);
    return (around, now) => saidOf(tables, address.purpose, offset, seen, around, now - newest);
  };

  const learn: LevelUpdate['learn'] = (address, around, now, sight) => {
    const day = dayOf(sight.at);
    // After a day's first refused signup at a domain no further signup of that day counts there, good or bad: whoever may choose
    // the addresses would choose what the domain looks like. Leaving out the refused alone would make it look good.
    if (sight.purpose === 'signup' && around.domain?.stoppedOn === day) return { ...around, part: address.part };
    const { part: old } = address;
    const say = shown(address);
    if (say === null) return old === null ? { ...around, part: null } : { ...shift(around, old, -1, now), part: null };
    const said = say(
      {
        domain: levelsWithout('domain', around.domain, old, now),
        list: levelsWithout('list', around.list, old, now),
      },
      now,
    );
    const part = partOf(said.domain, said.list, now);
    const without = old === null ? around : shift(around, old, -1, now);
    const { domain, list } = shift(without, part, 1, now);
    const isStopping = sight.purpose === 'signup' && isRefused(address);
    const isReported = address.reports.length > 0;
    return {
      domain: domain && {
        ...domain,
        isReported: domain.isReported || isReported,
        stoppedOn: isStopping ? day : domain.stoppedOn,
      },
      list: list && { ...list, isReported: list.isReported || isReported },
      part,
    };
  };

  return { shown, learn, shift };
}
