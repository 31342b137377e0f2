import type * as z from 'zod';
import { SECOND_MS } from '../kernel/clock.ts';
import { LATE, within } from '../kernel/deadline.ts';

/** The part of Workers KV that we use. */
export interface FactStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void>;
}

/** A cache should save time: a slower read counts as a miss. */
const READ_LIMIT_MS = 300;

/** KV's least `expirationTtl`. */
export const KV_TTL_MIN_S = 60;

/** The stored text. Absent, slow and unreachable all count as a miss. Never rejects. */
export async function readFact(kv: FactStore, key: string): Promise<string | null> {
  try {
    const stored = await within(kv.get(key), READ_LIMIT_MS);
    return stored === LATE ? null : stored;
  } catch {
    return null;
  }
}

/** The stored text, parsed; null when it is absent or has another shape. */
export function parseFact<T>(stored: string | null, schema: z.ZodType<T>): T | null {
  try {
    return stored === null ? null : schema.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

/** Stores for a while. Never rejects: losing a fact costs money, never truth. */
export async function writeFact(kv: FactStore, key: string, value: object, lifetimeMs: number): Promise<void> {
  try {
    const expirationTtl = Math.max(KV_TTL_MIN_S, Math.ceil(lifetimeMs / SECOND_MS));
    await kv.put(key, JSON.stringify(value), { expirationTtl });
  } catch {
    // The next request finds it out again.
  }
}
