import * as z from 'zod';
import { DAY_MS } from '../kernel/clock.ts';
import { type FactStore, readFact, writeFact } from './kv.ts';

/** Only the week of a sight is kept (ISO 8601: from Monday, UTC), because an exact time would tell when somebody asked. */
const WEEK_MS = 7 * DAY_MS;
/** The epoch is a Thursday. */
const FIRST_MONDAY_MS = -3 * DAY_MS;
const weekOf = (ms: number): number => Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS);
const startOf = (week: number): number => FIRST_MONDAY_MS + week * WEEK_MS;
/** A sight counts for this many weeks after its own: domains seldom change whether they accept every recipient. */
const LASTS_WEEKS = 2;

/** A vanity domain identifies a person, so what only one organisation saw of a domain is not shared. */
const ORGANISATIONS_NEEDED = 2;

const WeekOfSights = z.object({
  week: z.number().int(),
  accepts_all: z.boolean(),
  /** The first organisations that saw it in this week, each by a keyed hash of its own for this domain. */
  seen_by: z.array(z.string()).min(1).max(ORGANISATIONS_NEEDED),
});
/** By week, the newest last. */
const Flag = z.object({
  weeks: z
    .array(WeekOfSights)
    .min(1)
    .max(LASTS_WEEKS + 1),
});

/** All that organisations share of what providers say about a domain: whether it accepts every recipient. */
export type AcceptsAllFlag = z.infer<typeof Flag>;

const KEY = 'accepts-all:v2:';
const keyOf = (domain: string): string => KEY + domain;
export const isAcceptsAllKey = (key: string): boolean => key.startsWith(KEY);

const isInForce = ({ week }: { readonly week: number }, now: number): boolean => weekOf(now) <= week + LASTS_WEEKS;

/** The flag without expired weeks. A value of another shape, or without weeks, is a miss. Never rejects. */
export async function readAcceptsAll(kv: FactStore, domain: string, now: number): Promise<AcceptsAllFlag | null> {
  const stored = await readFact(kv, keyOf(domain));
  try {
    const flag = stored === null ? null : Flag.parse(JSON.parse(stored));
    const weeks = (flag?.weeks ?? []).filter((each) => isInForce(each, now));
    return weeks.length === 0 ? null : { weeks };
  } catch {
    return null;
  }
}

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
  const weeks = (flag?.weeks ?? []).filter((each) => isInForce(each, now));
  const current = weeks.find((each) => each.week >= week);
  if (current === undefined) {
    return { weeks: [...weeks, { week, accepts_all: acceptsAll, seen_by: [organisation] }] };
  }
  const { accepts_all: word, seen_by: seenBy } = current;
  if (word !== acceptsAll || seenBy.length === ORGANISATIONS_NEEDED || seenBy.includes(organisation)) return null;
  return { weeks: weeks.map((each) => (each === current ? { ...each, seen_by: [...seenBy, organisation] } : each)) };
}

/** Never rejects. */
export function writeAcceptsAll(kv: FactStore, domain: string, flag: AcceptsAllFlag, now: number): Promise<void> {
  const newest = Math.max(...flag.weeks.map(({ week }) => week));
  return writeFact(kv, keyOf(domain), flag, startOf(newest + LASTS_WEEKS + 1) - now);
}

export const forgetAcceptsAll = (kv: { delete(key: string): Promise<void> }, domain: string): Promise<void> =>
  kv.delete(keyOf(domain));
