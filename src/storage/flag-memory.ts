import QuickLRU from 'quick-lru';
import { MINUTE_MS } from '../kernel/clock.ts';
import { isAcceptsAllKey } from './accepts-all.ts';
import type { FactStore } from './kv.ts';

const FLAGS_KEPT = 5_000;

/** Accepts-all flags as an isolate last read or wrote them; null: no flag. KV takes a minute to show a change anyway. */
export type FlagMemory = QuickLRU<string, string | null>;
export const createFlagMemory = (): FlagMemory => new QuickLRU({ maxSize: FLAGS_KEPT, maxAge: MINUTE_MS });

/** The store with a memory for the flags of busy domains. Other keys pass through. */
export const withFlagMemory = (store: FactStore, memory: FlagMemory): FactStore => ({
  async get(key) {
    if (!isAcceptsAllKey(key)) return store.get(key);
    const known = memory.get(key);
    if (known !== undefined) return known;
    const stored = await store.get(key);
    memory.set(key, stored);
    return stored;
  },
  async put(key, value, options) {
    await store.put(key, value, options);
    if (isAcceptsAllKey(key)) memory.set(key, value);
  },
});
