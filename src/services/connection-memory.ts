import QuickLRU from 'quick-lru';
import type { ConnectionKind } from '../contract/connections.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';

/** A connection's secret. `until`: epoch milliseconds; null for the newest. */
export interface HeldSecret {
  readonly secret: string;
  readonly until: number | null;
}

/** A connection with its secrets, newest first. The previous one stays valid for an hour. */
export interface OpenConnection {
  readonly id: Id<'con'>;
  readonly organisationId: Id<'org'>;
  readonly kind: ConnectionKind;
  readonly held: readonly HeldSecret[];
}

export const secretsInForce = ({ held }: OpenConnection, now: number): string[] =>
  held.filter(({ until }) => until === null || until > now).map(({ secret }) => secret);

export interface ConnectionMemory {
  /** Null means no connection has this id. */
  readonly connections: QuickLRU<string, OpenConnection | null>;
  /** Webhooks refused since their count was last written, and when that was. */
  readonly refusals: QuickLRU<string, { readonly count: number; readonly writtenAt: number }>;
}

/**
 * How long an isolate may accept a deleted connection, or a replaced secret. Reports of a deleted connection are not
 * stored.
 */
const REMEMBERED_MS = MINUTE_MS;
export const createConnectionMemory = (): ConnectionMemory => ({
  connections: new QuickLRU({ maxSize: 1_000, maxAge: REMEMBERED_MS }),
  refusals: new QuickLRU({ maxSize: 1_000 }),
});

/** Counts a refused webhook. Returns how many to write now, once a minute: a flood of forgeries writes little. */
export function noteRefusal({ refusals }: ConnectionMemory, id: string, now: number): number {
  const { count = 0, writtenAt = 0 } = refusals.get(id) ?? {};
  const isDue = now - writtenAt >= REMEMBERED_MS;
  refusals.set(id, isDue ? { count: 0, writtenAt: now } : { count: count + 1, writtenAt });
  return isDue ? count + 1 : 0;
}
