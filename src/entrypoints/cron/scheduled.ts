import { describeError, failureLevel, log } from '../../kernel/log.ts';
import type { Background } from '../../runtime/wiring.ts';

type Work = (background: Background) => Promise<void>;

/** What each cron of wrangler.toml does, all of it at once. A cron without a row is a mistake in one of the two, never a default. */
const CRONS: Readonly<Record<string, readonly Work[]>> = {
  '*/5 * * * *': [(background) => background.wake.everyOrganisation(), (background) => background.nightly.catchUp()],
  '17 3 * * *': [(background) => background.nightly.begin()],
};

/** A part that fails cuts no other off: the cron fails when all have ended, for the platform to show. */
export async function runCron(cron: string, background: Background): Promise<void> {
  const parts = CRONS[cron];
  if (parts === undefined) throw new Error(`no work for cron ${cron}`);
  const startedAt = background.now();
  const ends = await Promise.allSettled(parts.map((part) => part(background)));
  const ran = { cron, ms: background.now() - startedAt };
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  for (const error of failures) log(failureLevel(error), 'cron', { ...ran, ...describeError(error) });
  if (failures.length > 0) throw failures[0];
  log('info', 'cron', ran);
}
