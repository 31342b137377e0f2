import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { RETENTION_MS } from '../bulk/job.ts';
import type { PrivacySettings, RetentionDays } from '../metering/organisation-settings.ts';

/** How long the service keeps each kind of record, in days. No account keeps more. */
export const KEPT_DAYS: RetentionDays = { traces: 400, outcomes: 400, events: 400, history: 400, details: 90 };
/** No account keeps less: what caches have ends by itself in this time. */
export const KEPT_LEAST_DAYS = 30;

/** How long an account keeps each kind. What replays a trace goes with its trace. */
export function retentionOf(privacy: PrivacySettings | null | undefined): RetentionDays {
  const kept = { ...KEPT_DAYS, ...privacy?.retention };
  return { ...kept, details: Math.min(kept.details, kept.traces) };
}

/** How long what can't be erased at once may still hold an address. */
export const FREE_AFTER = {
  /** KV shows a deletion everywhere within this time. */
  cachesMs: MINUTE_MS,
  /** Files of a bulk job that was made just before. */
  bulkFilesMs: RETENTION_MS,
  /** Point-in-time recovery of an object's storage reaches back this far; Postgres' own not farther. */
  restorePointsMs: 30 * DAY_MS,
} as const;
