import type { Purpose } from '../../contract/vocabulary.ts';
import { zeros } from '../../kernel/vector.ts';
import { usedAnswers } from './answer.ts';
import { BITS, filtered, type Masses, placeOf } from './filter.ts';
import { bounceAt, faded, levelsWithout, levelWeights, offsetOf } from './first-state.ts';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type KnownReport,
  type Levels,
  type LevelsAround,
  type LevelUpdate,
  LIST_LEVELS,
  type Neighbours,
  type OwnPart,
  type Reach,
  type Said,
} from './history.ts';
import { logOddsOf, partOf } from './history-codec.ts';
import { ANSWER_COUNT, DEAD, DOMAIN_STEPS, type HostTables, tablesAt } from './host-tables.ts';
import type { Model } from './model.ts';
import { dayOf, OPEN_GATE, sayingOf, standingOf } from './report-gate.ts';
import { sightingsOf } from './sightings.ts';

type PerKind<T> = readonly [strict: T, acceptsAll: T];
type PerState = readonly [lands: number, bounces: number];

/** No address rules a level out further than this. */
const FLOOR = -8;

/** P(what was seen | kind of domain, first state). */
function likelihoods(masses: Masses): PerKind<PerState> {
  const of = (kind: 0 | 1, first: 0 | 1): number => {
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

/** Logarithms from the largest down, at least the floor. */
function fromTop(likely: readonly number[], fade: number): number[] {
  let top = 0;
  for (const each of likely) top = Math.max(top, each);
  const logs = zeros(likely.length);
  for (let at = 0; at < logs.length; at += 1) logs[at] = fade * Math.max(FLOOR, Math.log((likely[at] ?? 0) / top));
  return logs;
}

/** What an address says of each level of its domain and its list, beside what `around` says of the other, `ageMs` later. */
function saidOf(
  tables: HostTables,
  purpose: Purpose,
  offset: number,
  seen: { readonly [K in keyof LevelsAround]: ReturnType<typeof likelihoods> },
  around: LevelsAround,
  ageMs: number,
): Pick<Said, 'domain' | 'list'> {
  const weights = levelWeights(tables, purpose, around.domain, around.list, 1);
  const [domain, list] = [zeros(DOMAIN_LEVELS), zeros(LIST_LEVELS)];
  const factor = Math.exp(offset);
  for (const kind of BITS) {
    const { odds } = tables.kinds[kind];
    const [ifLands, ifBounces] = seen.domain[kind];
    const [listIfLands, listIfBounces] = seen.list[kind];
    for (let level = 0; level < DOMAIN_STEPS; level += 1) {
      const weight = weights.domain[kind][level] ?? 0;
      let ofDomain = 0;
      for (let listLevel = 0; listLevel < LIST_LEVELS; listLevel += 1) {
        const bounces = bounceAt(odds[level * LIST_LEVELS + listLevel] ?? 0, factor, level);
        ofDomain += (weights.list[listLevel] ?? 0) * ((1 - bounces) * ifLands + bounces * ifBounces);
        list[listLevel] = (list[listLevel] ?? 0) + weight * ((1 - bounces) * listIfLands + bounces * listIfBounces);
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
export function centred(values: readonly number[]): Float32Array {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of values) top = Math.max(top, value);
  const found = new Float32Array(values.length);
  // Loops: callbacks on typed arrays take several times as long.
  for (let at = 0; at < found.length; at += 1) found[at] = (values[at] ?? 0) - top;
  return found;
}

/** An answer or a report says that the mailbox bounces. */
export const isRefused = ({ answers, reports }: Pick<AddressHistory, 'answers' | 'reports'>): boolean =>
  answers.some(({ verdict }) => verdict === 'undeliverable') ||
  reports.some((report) => sayingOf(report) === 'refused');

/** The levels with a part put in (1) or taken out (-1), at this time. */
function moved(kind: keyof Neighbours, levels: Levels | null, part: OwnPart, sign: 1 | -1, now: number): Levels {
  const by = logOddsOf(part[kind]);
  const factor = sign * faded(kind, now - part.at);
  const values = levelsWithout(kind, levels, null, now) ?? zeros(by.length);
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] ?? 0) + factor * (by[at] ?? 0);
  return {
    values: centred(values),
    at: Math.max(now, levels?.at ?? now),
    isReported: levels?.isReported ?? false,
    stoppedOn: levels?.stoppedOn ?? null,
    refused: levels?.refused ?? 0,
    delivered: levels?.delivered ?? 0,
  };
}

/** A domain's levels with an address's count put in (1) or taken out (-1). */
const counting = (levels: Levels, counted: OwnPart['counted'], sign: 1 | -1): Levels =>
  counted === null ? levels : { ...levels, [counted]: Math.max(0, levels[counted] + sign) };

/** What says nothing of any level. */
const SILENT = { domain: zeros(DOMAIN_LEVELS), list: zeros(LIST_LEVELS) } as const;

/** How addresses move the levels of their domain and list, by the figures of a model. */
export function levelUpdate(model: Model): LevelUpdate {
  const shift: LevelUpdate['shift'] = ({ domain, list }, part, sign, now) => ({
    domain: counting(moved('domain', domain, part, sign, now), part.counted, sign),
    list: moved('list', list, part, sign, now),
  });

  // As of its newest fact: so it says the same whenever it is asked, and what fades is all that time changes.
  const shown: LevelUpdate['shown'] = (address, reachOf) => {
    const { host, purpose } = address;
    const reached = address.reports.map((report) => ({ report, reach: reachOf(report) }));
    const reaching = (...reaches: Reach[]): KnownReport[] =>
      reached.flatMap(({ report, reach }) => (reaches.includes(reach) ? [report] : []));
    const reports = { domain: reaching('all', 'domain'), list: reaching('all') };
    const isReported = { domain: reports.domain.length > 0, list: reports.list.length > 0 };
    const counted = standingOf(address.reports);
    const newest = Math.max(...address.answers.map(({ at }) => at), ...reports.domain.map(({ at }) => at));
    const answers = usedAnswers(address.answers, newest);
    const tables = tablesAt(model, host);
    const seenWith = (some: readonly KnownReport[]) =>
      likelihoods(filtered(tables, sightingsOf(model, host, { answers, reports: some, proofs: [] }, newest), null));
    if (answers.length === 0 && !isReported.domain)
      return counted === null ? null : () => ({ ...SILENT, counted, isReported });
    const domain = seenWith(reports.domain);
    const list = reports.list.length === reports.domain.length ? domain : seenWith(reports.list);
    const offset = offsetOf(model, address);
    return (around, now) => ({
      ...saidOf(tables, purpose, offset, { domain, list }, around, now - newest),
      counted,
      isReported,
    });
  };

  const learn: LevelUpdate['learn'] = (address, around, now, sight, gate = OPEN_GATE) => {
    const day = dayOf(sight.at);
    // After a day's first refused signup at a domain no further signup of that day counts there, good or bad: a visitor who may choose
    // the addresses would choose what the domain looks like. Leaving out the refused alone would make it look good.
    if (sight.purpose === 'signup' && around.domain?.stoppedOn === day) return { ...around, part: address.part };
    const { part: old } = address;
    const say = shown(address, (report) => gate.reachOf(report, address, around.domain, now));
    if (say === null) return old === null ? { ...around, part: null } : { ...shift(around, old, -1, now), part: null };
    const said = say(
      {
        domain: levelsWithout('domain', around.domain, old, now),
        list: levelsWithout('list', around.list, old, now),
      },
      now,
    );
    const part = partOf(said, now);
    const without = old === null ? around : shift(around, old, -1, now);
    const { domain, list } = shift(without, part, 1, now);
    const isStopping = sight.purpose === 'signup' && isRefused(address);
    return {
      domain: domain && {
        ...domain,
        isReported: domain.isReported || said.isReported.domain,
        stoppedOn: isStopping ? day : domain.stoppedOn,
      },
      list: list && { ...list, isReported: list.isReported || said.isReported.list },
      part,
    };
  };

  return { shown, learn, shift };
}
