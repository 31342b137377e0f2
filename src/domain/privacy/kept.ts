import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { RETENTION_MS } from '../bulk/job.ts';

/** How long what can't be erased at once may still hold an address. */
export const FREE_AFTER = {
  /** KV shows a deletion everywhere within this time. */
  cachesMs: MINUTE_MS,
  /** Files of a bulk job that was made just before. */
  bulkFilesMs: RETENTION_MS,
  /** Point-in-time recovery of an object's storage reaches back this far; Postgres' own not farther. */
  restorePointsMs: 30 * DAY_MS,
} as const;
