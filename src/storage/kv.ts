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

/** The stored text, null where there is none; `LATE` where the store is slow or out of reach. Never rejects. */
export const readText = (kv: FactStore, key: string): Promise<string | null | typeof LATE> =>
  within(kv.get(key), READ_LIMIT_MS).catch(() => LATE);

/** The stored text, parsed; null when it is absent or has another shape. */
export function parseFact<T>(stored: string | null, schema: z.ZodType<T>): T | null {
  try {
    return stored === null ? null : schema.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

/** The stored value. Absent, of another shape, slow and unreachable all count as a miss. Never rejects. */
export async function readFact<T>(kv: FactStore, key: string, schema: z.ZodType<T>): Promise<T | null> {
  const stored = await readText(kv, key);
  return stored === LATE ? null : parseFact(stored, schema);
}

/** Stores for a while. Never rejects: losing a fact costs money, never truth. */
export const writeFact = (kv: FactStore, key: string, value: object, lifetimeMs: number): Promise<void> => {
  const expirationTtl = Math.max(KV_TTL_MIN_S, Math.ceil(lifetimeMs / SECOND_MS));
  return kv.put(key, JSON.stringify(value), { expirationTtl }).catch(() => undefined);
};

/**
 * The store as one invocation sees it: each key is read once and written once, behind the answer, because KV bills each. What is put
 * is known at once, while KV shows it only after a minute.
 */
export class InvocationStore implements FactStore {
  private readonly store: FactStore;
  private readonly defer: (work: Promise<unknown>) => void;
  private readonly known = new Map<string, Promise<string | null>>();
  private readonly unwritten = new Map<string, (store: FactStore) => Promise<void>>();
  private isOver = false;

  /** `defer`: lets work go on behind the answer. */
  constructor(store: FactStore, defer: (work: Promise<unknown>) => void) {
    this.store = store;
    this.defer = defer;
  }

  get(key: string): Promise<string | null> {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const asked = this.store.get(key);
    this.known.set(key, asked);
    // The next read asks again.
    asked.catch(() => this.known.delete(key));
    return asked;
  }

  async put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void> {
    this.known.set(key, Promise.resolve(value));
    this.writeOnce(key, (store) => store.put(key, value, options));
  }

  /** In the end, the last `write` of a key runs. */
  writeOnce(key: string, write: (store: FactStore) => Promise<void>): void {
    this.unwritten.set(key, write);
    if (this.isOver) this.end();
  }

  /** The invocation has its answer: what was put is written. What is put later is written at once. */
  end(): void {
    this.isOver = true;
    for (const write of this.unwritten.values()) this.defer(write(this.store).catch(() => undefined));
    this.unwritten.clear();
  }
}
