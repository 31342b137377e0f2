import { describeError, failureLevel, log } from '../../kernel/log.ts';
import type { Services } from '../../runtime/services.ts';

/** What each cron of wrangler.toml does. A cron without a row is a mistake in one of the two, never a default. */
const CRONS: Readonly<Record<string, (services: Services) => Promise<void>>> = {
  '*/5 * * * *': async (services) => {
    await Promise.all([services.wake.everyOrganisation(), services.nightly.catchUp()]);
  },
  '17 3 * * *': (services) => services.nightly.begin(),
};

export async function runCron(cron: string, services: Services): Promise<void> {
  const work = CRONS[cron];
  if (work === undefined) throw new Error(`no work for cron ${cron}`);
  const startedAt = services.now();
  try {
    await work(services);
    log('info', 'cron', { cron, ms: services.now() - startedAt });
  } catch (error) {
    log(failureLevel(error), 'cron', { cron, ms: services.now() - startedAt, ...describeError(error) });
    throw error;
  }
}
