import QuickLRU from 'quick-lru';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';

/** A connection with its secrets, newest first. The one before stays good while Stripe changes over to the new one. */
export interface OpenConnection {
  readonly id: Id<'con'>;
  readonly organisationId: Id<'org'>;
  readonly secrets: readonly string[];
}

export interface ConnectionMemory {
  /** Null: no connection has this id. */
  readonly connections: QuickLRU<string, OpenConnection | null>;
  /** The ids without a MAC (null: not read yet), and when they were last read. */
  early: { readonly at: number; readonly ids: ReadonlySet<string> | null };
}

/**
 * An isolate may accept a deleted connection, or a replaced secret, for this long. Reports of a deleted connection are not
 * stored.
 */
export const REMEMBERED_MS = MINUTE_MS;
export const createConnectionMemory = (): ConnectionMemory => ({
  connections: new QuickLRU({ maxSize: 1_000, maxAge: REMEMBERED_MS }),
  early: { at: 0, ids: null },
});
