import * as z from 'zod';
import {
  type AcceptsAllFlag,
  endOfFlag,
  flagInForce,
  ORGANISATIONS_NEEDED,
  WEEKS_IN_FORCE,
} from '../domain/belief/accepts-all.ts';
import { type FactStore, parseFact, readFact, writeFact } from './kv.ts';

const WeekOfSights = z.object({
  week: z.number().int(),
  accepts_all: z.boolean(),
  seen_by: z.array(z.string()).min(1).max(ORGANISATIONS_NEEDED),
});
const Flag: z.ZodType<AcceptsAllFlag> = z.object({ weeks: z.array(WeekOfSights).min(1).max(WEEKS_IN_FORCE) });

const KEY = 'accepts-all:v1:';
const keyOf = (domain: string): string => KEY + domain;
export const isAcceptsAllKey = (key: string): boolean => key.startsWith(KEY);

/** The flag without expired weeks; null without one. Never rejects. */
export const readAcceptsAll = async (kv: FactStore, domain: string, now: number): Promise<AcceptsAllFlag | null> =>
  flagInForce(parseFact(await readFact(kv, keyOf(domain)), Flag), now);

/** Never rejects. */
export const writeAcceptsAll = (kv: FactStore, domain: string, flag: AcceptsAllFlag, now: number): Promise<void> =>
  writeFact(kv, keyOf(domain), flag, endOfFlag(flag) - now);
