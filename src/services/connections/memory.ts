import QuickLRU from 'quick-lru';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';

/** A connection with its secrets, newest first: the one before stays good while Stripe rolls over to its successor. */
export interface OpenConnection {
  readonly id: Id<'con'>;
  readonly organisationId: Id<'org'>;
  readonly secrets: readonly string[];
}

/** What an isolate has lately looked up. */
export interface ConnectionMemory {
  /** Null: there is none of this id. */
  readonly connections: QuickLRU<string, OpenConnection | null>;
  /** The ids that may lack a MAC (null: not known yet), and when they were last asked for. */
  early: { readonly at: number; readonly ids: ReadonlySet<string> | null };
}

/** So long a connection that was removed, or a secret replaced, may still be taken for good; what comes is not kept then. */
export const REMEMBERED_MS = MINUTE_MS;
export const createConnectionMemory = (): ConnectionMemory => ({
  connections: new QuickLRU({ maxSize: 1_000, maxAge: REMEMBERED_MS }),
  early: { at: 0, ids: null },
});
