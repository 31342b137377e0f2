import { describeError, failureLevel, log } from '../../kernel/log.ts';
import type { BackgroundDeps } from '../../services/deps.ts';
import { beginNight, catchUpNight } from '../../services/nightly/run-night.ts';
import { wakeOrganisations } from '../../services/timers.ts';

type Work = (deps: BackgroundDeps) => Promise<void>;

/** The work of each cron in wrangler.toml, run concurrently. A cron without a row is an error, never a default. */
const CRONS: Readonly<Record<string, readonly Work[]>> = {
  '*/5 * * * *': [wakeOrganisations, catchUpNight],
  '17 3 * * *': [beginNight],
};

/** A failing part stops no other: the cron fails after all have ended, for the platform to show. */
export async function runCron(cron: string, deps: BackgroundDeps): Promise<void> {
  const parts = CRONS[cron];
  if (parts === undefined) throw new Error(`no work for cron ${cron}`);
  const startedAt = deps.now();
  const ends = await Promise.allSettled(parts.map((part) => part(deps)));
  deps.endInvocation();
  const ran = { cron, ms: deps.now() - startedAt };
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  for (const error of failures) log(failureLevel(error), 'cron', { ...ran, ...describeError(error) });
  if (failures.length > 0) throw failures[0];
  log('info', 'cron', ran);
}
