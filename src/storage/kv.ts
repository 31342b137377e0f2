import type * as z from 'zod';
import { type Clock, DAY_MS, LATE, MINUTE_MS, SECOND_MS, within } from '../kernel/clock.ts';

/** The used part of Workers KV. */
export interface FactStore {
  get(key: string): Promise<string | null>;
  put(key: string, value: string, options: { readonly expirationTtl: number }): Promise<void>;
}

/** A cache should save time: a slower read counts as a miss. */
const READ_LIMIT_MS = 300;

/** KV's lowest `expirationTtl`. */
export const KV_TTL_MIN_S = 60;

/** The stored text or null; `LATE` if the store is slow or unreachable. Never rejects. */
export const readText = (kv: FactStore, key: string): Promise<string | null | typeof LATE> =>
  within(kv.get(key), READ_LIMIT_MS).catch(() => LATE);

/** The stored text, parsed; null if absent or of another shape. */
export function parseFact<T>(stored: string | null, schema: z.ZodType<T>): T | null {
  try {
    return stored === null ? null : schema.parse(JSON.parse(stored));
  } catch {
    return null;
  }
}

/** The stored value. An absent, malformed, slow or failed one is a miss. Never rejects. */
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
 * One invocation's view of the store: each key is read once and written once, after the answer, because KV bills each.
 * Puts are visible at once, while KV shows them only after a minute.
 */
export class InvocationStore implements FactStore {
  private readonly store: FactStore;
  private readonly defer: (work: Promise<unknown>) => void;
  private readonly known = new Map<string, Promise<string | null>>();
  private readonly unwritten = new Map<string, (store: FactStore) => Promise<void>>();
  private isOver = false;
  private isDropped = false;

  /** `defer`: defers work until after the answer. */
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

  /** Of several, the last `write` of a key runs. */
  writeOnce(key: string, write: (store: FactStore) => Promise<void>): void {
    if (this.isDropped) return;
    this.unwritten.set(key, write);
    if (this.isOver) this.end();
  }

  /** Puts, also later ones, are not written. */
  drop(): void {
    this.isDropped = true;
    this.unwritten.clear();
  }

  /** After the answer: writes the puts. Later ones are written at once. */
  end(): void {
    this.isOver = true;
    for (const write of this.unwritten.values()) this.defer(write(this.store).catch(() => undefined));
    this.unwritten.clear();
  }
}

/** The used part of Workers KV: tables by version, and the version in force. */
export interface TableStore {
  get(key: string): Promise<string | null>;
  get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>;
  put(key: string, value: string | Uint8Array, options: { readonly expirationTtl: number }): Promise<void>;
}

export interface TableForm<T> {
  write(table: T): string | Uint8Array;
  /** Null if absent. Throws if malformed. */
  read(kv: TableStore, key: string, version: string): Promise<T | null>;
}

export const jsonForm = <T>(schema: z.ZodType<T>): TableForm<T> => ({
  write: (table) => JSON.stringify(table),
  read: async (kv, key) => {
    const stored = await kv.get(key);
    return stored === null ? null : schema.parse(JSON.parse(stored));
  },
});

/** A table is written nightly and expires after 90 days without a run. */
const LIFETIME_S = (90 * DAY_MS) / SECOND_MS;

/** How often an isolate checks the version in force. */
const CHECKED_MS = MINUTE_MS;
/** How long an isolate's first request waits for the table. */
const FIRST_READ_MS = 300;

/** A nightly table that all isolates follow. Each version is read once. */
export class PublishedTable<T extends { readonly version: string }> {
  private version: string | null = null;
  private checkedAt: number | null = null;
  /** Whether KV has answered, with or without a table. */
  private isSettled = false;
  private readonly deps: {
    /** A version's prefix; its number changes with the table's shape. */
    readonly prefix: string;
    readonly form: TableForm<T>;
    readonly kv: TableStore;
    readonly now: Clock;
    readonly adopt: (table: T) => void;
  };

  constructor(deps: PublishedTable<T>['deps']) {
    this.deps = deps;
  }

  /**
   * Updates the table within a minute or two; at `deadlineMs` the old one stays. `defer`: defers work until after the
   * answer. Never rejects.
   */
  async refresh(defer: (work: Promise<unknown>) => void, deadlineMs = Number.POSITIVE_INFINITY): Promise<void> {
    const { now } = this.deps;
    if (this.isSettled && this.checkedAt !== null && now() - this.checkedAt < CHECKED_MS) return;
    this.checkedAt = now();
    const wasSettled = this.isSettled;
    const refreshing = this.read();
    const patienceMs = Math.max(0, Math.min(FIRST_READ_MS, deadlineMs - now()));
    if (wasSettled || (await within(refreshing, patienceMs)) === LATE) defer(refreshing);
  }

  /** Puts a table in force: writes it, then the version; at once in this isolate. Rejects if KV does. */
  async publish(table: T): Promise<void> {
    const { kv, prefix, form } = this.deps;
    await kv.put(`${prefix}:${table.version}`, form.write(table), { expirationTtl: LIFETIME_S });
    await kv.put(`${prefix}:current`, table.version, { expirationTtl: LIFETIME_S });
    this.take(table);
  }

  private take(table: T): void {
    this.deps.adopt(table);
    this.version = table.version;
  }

  /** A failed read changes nothing, and is retried after a minute. */
  private async read(): Promise<void> {
    const { kv, prefix, form } = this.deps;
    try {
      const version = await kv.get(`${prefix}:current`);
      if (version === null || version === this.version) return;
      const table = await form.read(kv, `${prefix}:${version}`, version);
      if (table !== null) this.take(table);
    } catch {
      // The table stays as it is.
    } finally {
      this.isSettled = true;
    }
  }
}
