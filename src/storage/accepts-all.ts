import * as z from 'zod';
import { DAY_MS } from '../kernel/clock.ts';
import { type FactStore, readFact, writeFact } from './kv.ts';

/** A moment would tell when somebody asked: all that is kept of the time is the week, and what is made of the flag shows none. */
const WEEK_MS = 7 * DAY_MS;
const weekOf = (ms: number): number => Math.floor(ms / WEEK_MS);
/** A domain changes its mind about wildcards seldom: the flag stands so many weeks after the one it was learnt in. */
const LASTS_WEEKS = 2;

/** A vanity domain is a person: what one organisation alone has seen of a domain is not told to others. */
const ORGANISATIONS_NEEDED = 2;

const Flag = z.object({
  accepts_all: z.boolean(),
  week: z.number().int(),
  /** The newest organisations that saw it, each by a keyed hash of its own for this domain; the last is the newest. */
  seen_by: z.array(z.string()).min(1).max(ORGANISATIONS_NEEDED),
});

/** All that organisations share of what providers say about a domain: whether it accepts every recipient. */
export type AcceptsAllFlag = z.infer<typeof Flag>;

const KEY = 'accepts-all:v1:';
const keyOf = (domain: string): string => KEY + domain;
export const isAcceptsAllKey = (key: string): boolean => key.startsWith(KEY);

/** A value of another shape is a miss, like one whose weeks are over. Never rejects. */
export async function readAcceptsAll(kv: FactStore, domain: string, now: number): Promise<AcceptsAllFlag | null> {
  const stored = await readFact(kv, keyOf(domain));
  try {
    const flag = stored === null ? null : Flag.parse(JSON.parse(stored));
    return flag !== null && weekOf(now) <= flag.week + LASTS_WEEKS ? flag : null;
  } catch {
    return null;
  }
}

/** What an organisation is told: what two others saw. What it saw itself it knows from its own evidence, and counts once. */
export const toldTo = (organisation: string, flag: AcceptsAllFlag | null): boolean | null =>
  flag !== null && flag.seen_by.length === ORGANISATIONS_NEEDED && !flag.seen_by.includes(organisation)
    ? flag.accepts_all
    : null;

/**
 * The flag once an organisation has seen this; null when nothing has changed. Within a week the first word stands: a domain about
 * which providers differ would else be written all day.
 */
export function sawAcceptsAll(
  flag: AcceptsAllFlag | null,
  organisation: string,
  acceptsAll: boolean,
  now: number,
): AcceptsAllFlag | null {
  const week = weekOf(now);
  const agrees = flag?.accepts_all === acceptsAll;
  const before = flag !== null && agrees ? flag.seen_by.filter((each) => each !== organisation) : [];
  if (flag !== null && flag.week >= week) {
    const isSeen = !agrees || flag.seen_by.length === ORGANISATIONS_NEEDED || flag.seen_by.includes(organisation);
    if (isSeen) return null;
  }
  return { accepts_all: acceptsAll, week, seen_by: [...before.slice(1 - ORGANISATIONS_NEEDED), organisation] };
}

/** Never rejects. */
export const writeAcceptsAll = (kv: FactStore, domain: string, flag: AcceptsAllFlag, now: number): Promise<void> =>
  writeFact(kv, keyOf(domain), flag, (flag.week + LASTS_WEEKS + 1) * WEEK_MS - now);

export const forgetAcceptsAll = (kv: { delete(key: string): Promise<void> }, domain: string): Promise<void> =>
  kv.delete(keyOf(domain));
