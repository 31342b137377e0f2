import { describeError, failureLevel, log } from '../../kernel/log.ts';
import type { Services } from '../../runtime/services.ts';

type Work = (services: Services) => Promise<void>;

/** What each cron of wrangler.toml does, all of it at once. A cron without a row is a mistake in one of the two, never a default. */
const CRONS: Readonly<Record<string, readonly Work[]>> = {
  '*/5 * * * *': [(services) => services.wake.everyOrganisation(), (services) => services.nightly.catchUp()],
  '17 3 * * *': [(services) => services.nightly.begin()],
};

/** A part that fails cuts no other off: the cron fails when all have ended, for the platform to show. */
export async function runCron(cron: string, services: Services): Promise<void> {
  const parts = CRONS[cron];
  if (parts === undefined) throw new Error(`no work for cron ${cron}`);
  const startedAt = services.now();
  const ends = await Promise.allSettled(parts.map((part) => part(services)));
  const ran = { cron, ms: services.now() - startedAt };
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  for (const error of failures) log(failureLevel(error), 'cron', { ...ran, ...describeError(error) });
  if (failures.length > 0) throw failures[0];
  log('info', 'cron', ran);
}
