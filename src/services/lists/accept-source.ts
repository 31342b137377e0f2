import { ROUTES } from '../../contract/routes.ts';
import type { Clock } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { upsertCronStep } from '../../storage/postgres/cron-steps.ts';
import { verb } from '../verb.ts';
import { LISTS_STEP, type ListRefreshDeps, readSources, shortDigest, shownUrl } from './disposable-lists.ts';

/** Takes a larger change of a list of disposable domains than the night would. */
export const acceptSource = verb({
  route: ROUTES.acceptSource,
  run: async ({ deps }, { body }) => acceptNamed({ ...deps.disposableLists, db: deps.db }, body.source, deps.now),
});

/**
 * Reads all sources now and takes this one however much of it changed; the guards on what it holds stay. `source`: its URL,
 * the URL as `status` shows it where that is the only one, or its digest. The report takes the place of the night's.
 */
export async function acceptNamed(
  deps: ListRefreshDeps,
  source: string,
  now: Clock,
): Promise<{ accepted: boolean; lists: object }> {
  const named = (deps.urls ?? []).filter((each) => [each, shownUrl(each), shortDigest(each)].includes(source));
  const [url, ...others] = named;
  if (url === undefined) throw new DomainError('not_found', 'DISPOSABLE_SOURCE_URLS does not name this source.');
  if (others.length > 0)
    throw new DomainError('conflict', 'Several sources have this URL: give one’s `source`, as `status` shows it.');
  const startedAt = now();
  const { report, isAccepted } = await readSources(deps, startedAt, url);
  await upsertCronStep(deps.db, { step: LISTS_STEP, startedAt, finishedAt: now(), report });
  return { accepted: isAccepted, lists: report };
}
