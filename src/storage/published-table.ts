import type * as z from 'zod';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { LATE, within } from '../kernel/deadline.ts';

/** The part of Workers KV that we use: tables by version, and the version in force. */
export interface TableStore {
  get(key: string): Promise<string | null>;
  get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>;
  put(key: string, value: string | Uint8Array, options: { readonly expirationTtl: number }): Promise<void>;
}

/** How a table stands in KV. */
export interface TableForm<T> {
  write(table: T): string | Uint8Array;
  /** Null: it is not there. Throws on what is none. */
  read(kv: TableStore, key: string, version: string): Promise<T | null>;
}

export const jsonForm = <T>(schema: z.ZodType<T>): TableForm<T> => ({
  write: (table) => JSON.stringify(table),
  read: async (kv, key) => {
    const stored = await kv.get(key);
    return stored === null ? null : schema.parse(JSON.parse(stored));
  },
});

/** A table is written every night; after 90 days without a run it counts no more. */
const LIFETIME_S = (90 * DAY_MS) / SECOND_MS;

/** How often an isolate reads which version is in force. */
const CHECKED_MS = MINUTE_MS;
/** An isolate's first request waits this long for the table. */
const FIRST_READ_MS = 300;

/** A table that the night makes and all isolates follow. Each version is read once. */
export class PublishedTable<T extends { readonly version: string }> {
  private version: string | null = null;
  private checkedAt: number | null = null;
  /** Whether KV has answered, with a table or without. */
  private isSettled = false;
  private readonly deps: {
    /** In front of a version; the number in it changes with the shape of the table. */
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
   * Brings the table up to date within a minute or two, or leaves it as it is at `deadlineMs`. `defer`: lets work go on after the
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

  /** Puts a table in force: writes it first, then the version in force; at once in this isolate. Rejects when KV does. */
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

  /** A failed read changes nothing; it is tried again after a minute. */
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
