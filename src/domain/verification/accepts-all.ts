import { DAY_MS } from '../../kernel/clock.ts';

/** Only the week of a sight is kept (ISO 8601: from Monday, UTC), because an exact time would tell when somebody asked. */
const WEEK_MS = 7 * DAY_MS;
/** The epoch is a Thursday. */
const FIRST_MONDAY_MS = -3 * DAY_MS;
const weekOf = (ms: number): number => Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS);
const startOf = (week: number): number => FIRST_MONDAY_MS + week * WEEK_MS;
/** A sight counts for this many weeks after its own: domains seldom change whether they accept every recipient. */
const LASTS_WEEKS = 2;
/** Weeks that can be in force at once: the current one and those that still count. */
export const WEEKS_IN_FORCE = LASTS_WEEKS + 1;

/** A vanity domain identifies a person, so what only one organisation saw of a domain is not shared. */
export const ORGANISATIONS_NEEDED = 2;

interface WeekOfSights {
  readonly week: number;
  readonly accepts_all: boolean;
  /** The first organisations that saw it in this week, each by a keyed hash of its own for this domain. */
  readonly seen_by: readonly string[];
}

/** All that organisations share of what providers say about a domain: whether it accepts every recipient. */
export interface AcceptsAllFlag {
  /** The newest last. */
  readonly weeks: readonly WeekOfSights[];
}

const isInForce = ({ week }: WeekOfSights, now: number): boolean => weekOf(now) <= week + LASTS_WEEKS;

/** The flag without expired weeks; null when none is left. */
export function flagInForce(flag: AcceptsAllFlag | null, now: number): AcceptsAllFlag | null {
  const weeks = flag?.weeks.filter((each) => isInForce(each, now)) ?? [];
  return weeks.length === 0 ? null : { weeks };
}

/** When the last of the flag's weeks expires. */
export const endOfFlag = ({ weeks }: AcceptsAllFlag): number =>
  startOf(Math.max(...weeks.map(({ week }) => week)) + WEEKS_IN_FORCE);

/**
 * What an organisation is told: what two others saw. What it saw itself it knows from its own evidence, and counts once.
 * The current week does not count: a change of the flag within a week would tell that somebody has just asked.
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
 * The flag once an organisation has seen this; null when nothing has changed. Within a week the first word stands: a
 * domain about which providers differ would else be written all day.
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
