import type { Purpose } from '../../contract/vocabulary.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { usedAnswers } from './answer.ts';
import { BITS, filtered, type Masses, placeOf } from './filter.ts';
import { bounceAt, faded, levelsWithout, levelWeights, offsetOf } from './first-state.ts';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type Levels,
  type LevelUpdate,
  LIST_LEVELS,
  type Neighbours,
  type OwnPart,
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
function fromTop(likely: Float64Array): number[] {
  const top = likely.reduce((most, each) => Math.max(most, each), 0);
  return [...likely].map((each) => Math.max(FLOOR, Math.log(each / top)));
}

/** What an address says of each level of its domain and its list, beside what `around` says of the other. */
function partsOf(
  tables: HostTables,
  purpose: Purpose,
  offset: number,
  masses: Masses,
  around: { readonly domain: Float64Array | null; readonly list: Float64Array | null },
): { readonly domain: number[]; readonly list: number[] } {
  const weights = levelWeights(tables, purpose, around.domain, around.list, 1);
  const seen = likelihoods(masses);
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
  return { domain: fromTop(domain), list: fromTop(list) };
}

/** Levels are compared with one another alone, so that the largest may stand at 0. */
function centred(values: Float64Array): Float32Array {
  const top = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  return Float32Array.from(values, (value) => value - top);
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** An answer or a report says that the mailbox bounces. */
const isRefused = ({ answers, reports }: Pick<AddressHistory, 'answers' | 'reports'>): boolean =>
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

  const learn: LevelUpdate['learn'] = (address, around, now, sight) => {
    const day = dayOf(sight.at);
    // After a day's first refused signup at a domain no further signup of that day counts there, good or bad: whoever may choose
    // the addresses would choose what the domain looks like. Leaving out the refused alone would make it look good.
    if (sight.purpose === 'signup' && around.domain?.stoppedOn === day) return { ...around, part: address.part };
    const { part: old } = address;
    const answers = usedAnswers(address.answers, now);
    const sightings = sightingsOf(model, address.host, { answers, reports: address.reports, proofs: [] }, now);
    const newest = sightings.at(-1);
    if (newest === undefined)
      return old === null ? { ...around, part: null } : { ...shift(around, old, -1, now), part: null };
    const tables = tablesAt(model, address.host);
    const said = partsOf(tables, address.purpose, offsetOf(model, address), filtered(tables, sightings, null), {
      domain: levelsWithout('domain', around.domain, old, now),
      list: levelsWithout('list', around.list, old, now),
    });
    // What is old has faded already.
    const fadedNow = (kind: keyof Neighbours): number[] =>
      said[kind].map((value) => value * faded(kind, now - newest.at));
    const part = partOf(fadedNow('domain'), fadedNow('list'), now);
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

  return { learn, shift };
}
