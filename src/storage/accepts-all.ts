import * as z from 'zod';
import { DAY_MS } from '../kernel/clock.ts';
import { type FactStore, readFact, writeFact } from './kv.ts';

/** Only the week of a sight is kept, because an exact time would tell when somebody asked. */
const WEEK_MS = 7 * DAY_MS;
const weekOf = (ms: number): number => Math.floor(ms / WEEK_MS);
/** A sight counts for this many weeks after its own: domains seldom change whether they accept every recipient. */
const LASTS_WEEKS = 2;

/** A vanity domain identifies a person, so what only one organisation saw of a domain is not shared. */
const ORGANISATIONS_NEEDED = 2;

const Flag = z.object({
  accepts_all: z.boolean(),
  /**
   * The newest organisations that saw it, each by a keyed hash of its own for this domain, and in which week; the newest
   * last.
   */
  seen_by: z
    .array(z.object({ as: z.string(), week: z.number().int() }))
    .min(1)
    .max(ORGANISATIONS_NEEDED),
});

/** All that organisations share of what providers say about a domain: whether it accepts every recipient. */
export type AcceptsAllFlag = z.infer<typeof Flag>;

const KEY = 'accepts-all:v1:';
const keyOf = (domain: string): string => KEY + domain;
export const isAcceptsAllKey = (key: string): boolean => key.startsWith(KEY);

/** The flag without expired sights. A value of another shape, or without sights, is a miss. Never rejects. */
export async function readAcceptsAll(kv: FactStore, domain: string, now: number): Promise<AcceptsAllFlag | null> {
  const stored = await readFact(kv, keyOf(domain));
  try {
    const flag = stored === null ? null : Flag.parse(JSON.parse(stored));
    const seenBy = (flag?.seen_by ?? []).filter(({ week }) => weekOf(now) <= week + LASTS_WEEKS);
    return flag === null || seenBy.length === 0 ? null : { ...flag, seen_by: seenBy };
  } catch {
    return null;
  }
}

/**
 * What an organisation is told: what two others saw. What it saw itself it knows from its own evidence, and counts once.
 */
export const toldTo = (organisation: string, flag: AcceptsAllFlag): boolean | null =>
  flag.seen_by.length === ORGANISATIONS_NEEDED && !flag.seen_by.some(({ as }) => as === organisation)
    ? flag.accepts_all
    : null;

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
  const seenBy = flag?.seen_by ?? [];
  const thisWeek = seenBy.filter((sight) => sight.week >= week);
  const agrees = flag?.accepts_all === acceptsAll;
  if (!agrees && thisWeek.length > 0) return null;
  if (thisWeek.length === ORGANISATIONS_NEEDED || thisWeek.some(({ as }) => as === organisation)) return null;
  const others = agrees ? seenBy.filter(({ as }) => as !== organisation) : [];
  return { accepts_all: acceptsAll, seen_by: [...others.slice(1 - ORGANISATIONS_NEEDED), { as: organisation, week }] };
}

/** Never rejects. */
export function writeAcceptsAll(kv: FactStore, domain: string, flag: AcceptsAllFlag, now: number): Promise<void> {
  const newest = Math.max(...flag.seen_by.map(({ week }) => week));
  return writeFact(kv, keyOf(domain), flag, (newest + LASTS_WEEKS + 1) * WEEK_MS - now);
}

export const forgetAcceptsAll = (kv: { delete(key: string): Promise<void> }, domain: string): Promise<void> =>
  kv.delete(keyOf(domain));
