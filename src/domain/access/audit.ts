import type { AuditAction } from '../../contract/access.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Actor, Author } from './keys.ts';

/** Who changed what. Neither text holds a secret, an address, or words that a caller chose. */
export interface AuditEntry {
  readonly id: Id<'au'>;
  readonly at: number;
  readonly actor: Actor;
  /** The key that the request came with; a person's dashboard key for one from the dashboard. Null: none. */
  readonly keyId: Id<'key'> | null;
  readonly action: AuditAction;
  /** The id or name of what was changed. */
  readonly target: string;
  readonly summary: string;
}

/** A line as it is kept. */
export interface AuditLine extends AuditEntry {
  /** How many entries of rule lists the line counts; null: it counts none. */
  readonly entries: number | null;
}

export type AuditNote = Author & Pick<AuditEntry, 'action' | 'target' | 'summary'>;

/** Left out: every one. Times are epoch milliseconds: from the first on, and before the second. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined;
  readonly actor?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export const AUDIT_LIFETIME_MS = 400 * DAY_MS;

/** Entries of rule lists that one actor puts on a list, or takes off it, stand in one line an hour; a person’s until another change. */
export const AUDIT_COUNTED_MS = HOUR_MS;
