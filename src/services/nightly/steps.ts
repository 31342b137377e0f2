import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { BackgroundDeps } from '../deps.ts';

/** A step's result. `done` false: more is left than one run can do, and the message comes again for it. */
export type Report = object & { readonly done?: boolean };

/** Part of a night. Idempotent. */
export interface Step<Args extends readonly unknown[]> {
  readonly name: string;
  readonly why: string;
  readonly run: (deps: BackgroundDeps, ...args: Args) => Promise<Report>;
}

/** A failed try's report. Contains only the error's name: a message may quote an address. */
export const failedReport = (error: unknown): { readonly failed: string } => ({
  failed: error instanceof Error ? error.name : typeof error,
});

/** When a night begins, in UTC: the cron of wrangler.toml. */
const NIGHT_MS = 3 * HOUR_MS + 17 * MINUTE_MS;

/** A night may be running for the 15 minutes of its cron. */
const GRACE_MS = 20 * MINUTE_MS;

/** When the last completed night began. */
export const lastNight = (now: number): number => Math.floor((now - GRACE_MS - NIGHT_MS) / DAY_MS) * DAY_MS + NIGHT_MS;

/** A step's last run. `report.failed`: it failed, or has not ended yet. */
interface LastRun {
  readonly startedAt: number;
  readonly report: unknown;
}

/** A try that has not ended after its invocation's 15 minutes never will. */
const PAUSE_MIN_MS = 15 * MINUTE_MS;
const PAUSE_MAX_MS = 4 * HOUR_MS;

/** Failed tries since then. 0: not started yet, or done. */
export function vainTries(last: LastRun | undefined, since: number): number {
  if (last === undefined || last.startedAt < since) return 0;
  const report = Object(last.report) as { readonly failed?: unknown; readonly tries?: unknown };
  if (report.failed === undefined) return 0;
  return typeof report.tries === 'number' ? report.tries : 1;
}

/** `failed` in a step's report while it runs. */
export const UNFINISHED = 'unfinished';

/** Whether a try may still be running. */
export const isAtWork = (last: LastRun | undefined, now: number): boolean =>
  last !== undefined &&
  (Object(last.report) as { readonly failed?: unknown }).failed === UNFINISHED &&
  now - last.startedAt < PAUSE_MIN_MS;

/** Whether a step has finished since then. */
export const isDone = (last: LastRun | undefined, since: number): boolean =>
  last !== undefined && last.startedAt >= since && vainTries(last, since) === 0;

/** Whether to try an unfinished step now. The last try gets its time, and pauses grow with the tries. */
export function isDue(last: LastRun | undefined, since: number, now: number): boolean {
  const tries = vainTries(last, since);
  if (last === undefined || tries === 0) return true;
  return now - last.startedAt >= Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 2 ** (tries - 1));
}
