import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';

/** When a night begins, in UTC: the cron of wrangler.toml. */
const NIGHT_MS = 3 * HOUR_MS + 17 * MINUTE_MS;

/** A cron has 15 minutes: so long may a night that has begun still be at work. */
const GRACE_MS = 20 * MINUTE_MS;

/** When the last night began that has had its time. */
export const lastNight = (now: number): number => Math.floor((now - GRACE_MS - NIGHT_MS) / DAY_MS) * DAY_MS + NIGHT_MS;

/** What is kept of a step's last run. */
interface LastRun {
  readonly startedAt: number;
  readonly report: unknown;
}

/** Whether a step has done its work since then. */
export const isDone = (last: LastRun | undefined, since: number): boolean =>
  last !== undefined && last.startedAt >= since && !('failed' in Object(last.report));
