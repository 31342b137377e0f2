import { DAY_MS } from '../../kernel/clock.ts';
import type { HostClass } from './host-class.ts';
import { type Model, rowsAt } from './model.ts';
import type { HostPrior } from './prior-table.ts';
import { PROVIDER_IDS } from './provider.ts';
import { type AnswerRows, totalOf, VERDICTS } from './provider-table.ts';

/** Only the ISO week of an observation is stored (from Monday, UTC): an exact time would reveal when somebody asked. */
const WEEK_MS = 7 * DAY_MS;
/** The epoch is a Thursday. */
const FIRST_MONDAY_MS = -3 * DAY_MS;
const weekOf = (ms: number): number => Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS);
const startOf = (week: number): number => FIRST_MONDAY_MS + week * WEEK_MS;
/** Weeks that an observation counts: domains seldom change whether they accept every recipient. */
const LASTS_WEEKS = 2;
/** The current week and those that still count. */
export const WEEKS_IN_FORCE = LASTS_WEEKS + 1;

/** A vanity domain identifies a person, so what only one organisation saw is not shared. */
export const ORGANISATIONS_NEEDED = 2;

interface WeekOfObservations {
  readonly week: number;
  readonly accepts_all: boolean;
  /** The first organisations that saw it this week, as keyed hashes specific to this domain. */
  readonly seen_by: readonly string[];
}

/** What organisations share about a domain: only whether it accepts every recipient. */
export interface AcceptsAllFlag {
  /** Newest last. */
  readonly weeks: readonly WeekOfObservations[];
}

const isInForce = ({ week }: WeekOfObservations, now: number): boolean => weekOf(now) <= week + LASTS_WEEKS;

export function flagInForce(flag: AcceptsAllFlag | null, now: number): AcceptsAllFlag | null {
  const weeks = flag?.weeks.filter((each) => isInForce(each, now)) ?? [];
  return weeks.length === 0 ? null : { weeks };
}

/** The flag where an organisation that has another hash by now counts once. */
export const seenAgainAs = (flag: AcceptsAllFlag, before: readonly string[], as: string): AcceptsAllFlag =>
  before.length === 0
    ? flag
    : {
        weeks: flag.weeks.map((week) => ({
          ...week,
          seen_by: [...new Set(week.seen_by.map((each) => (before.includes(each) ? as : each)))],
        })),
      };

export const endOfFlag = ({ weeks }: AcceptsAllFlag): number =>
  startOf(Math.max(...weeks.map(({ week }) => week)) + WEEKS_IN_FORCE);

/**
 * The flag as an organisation may see it: what two others observed. Its own observations are already in its evidence.
 * The current week is left out, since a change within it would reveal that somebody has just asked.
 */
export function toldTo(organisation: string, flag: AcceptsAllFlag, now: number): boolean | null {
  const [newest, ...older] = flag.weeks.filter(({ week }) => week < weekOf(now)).toReversed();
  if (newest === undefined) return null;
  const turned = older.findIndex((each) => each.accepts_all !== newest.accepts_all);
  const agreeing = [newest, ...(turned === -1 ? older : older.slice(0, turned))];
  const others = new Set(agreeing.flatMap((each) => each.seen_by).filter((as) => as !== organisation));
  return others.size >= ORGANISATIONS_NEEDED ? newest.accepts_all : null;
}

/**
 * The flag with an organisation's observation; null if unchanged. The first word of a week stands: a domain that
 * providers disagree on would otherwise be written all day.
 */
export function sawAcceptsAll(
  flag: AcceptsAllFlag | null,
  organisation: string,
  acceptsAll: boolean,
  now: number,
): AcceptsAllFlag | null {
  const week = weekOf(now);
  const weeks = flagInForce(flag, now)?.weeks ?? [];
  const current = weeks.find((each) => each.week >= week);
  if (current === undefined) {
    return { weeks: [...weeks, { week, accepts_all: acceptsAll, seen_by: [organisation] }] };
  }
  const { accepts_all: word, seen_by: seenBy } = current;
  if (word !== acceptsAll || seenBy.length === ORGANISATIONS_NEEDED || seenBy.includes(organisation)) return null;
  return { weeks: weeks.map((each) => (each === current ? { ...each, seen_by: [...seenBy, organisation] } : each)) };
}

/** Others' observations never settle how a domain behaves: odds of 55 to 1. */
const LOG_ODDS_LIMIT = 4;

/**
 * Log-odds that a domain accepts every recipient, by the shared flag; 0 without one. The flag names no provider, so it
 * weighs as the least informative one's answer.
 */
export function sharedAcceptsAll(model: Model, host: HostClass, told: boolean | null): number {
  if (told === null) return 0;
  const column = VERDICTS.indexOf(told ? 'catch_all' : 'undeliverable');
  const words = PROVIDER_IDS.map((provider) => {
    const rows = rowsAt(model, provider, host);
    return Math.log(
      likelihood(model.prior[host], rows, column, true) / likelihood(model.prior[host], rows, column, false),
    );
  });
  const word = words.reduce((least, one) => (Math.abs(one) < Math.abs(least) ? one : least));
  return Math.max(-LOG_ODDS_LIMIT, Math.min(LOG_ODDS_LIMIT, word));
}

/** P(verdict | the domain accepts every recipient, or not), over the server's possible answers. */
function likelihood(prior: HostPrior, rows: AnswerRows, column: number, acceptsAll: boolean): number {
  let [mass, total] = [0, 0];
  for (const cell of prior) {
    if (cell.acceptsAll !== acceptsAll) continue;
    const counts = rows[cell.answer];
    mass += cell.alpha * ((counts[column] ?? 0) / totalOf(counts));
    total += cell.alpha;
  }
  return mass / total;
}
