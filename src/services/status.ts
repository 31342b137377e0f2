import type { Organisation, StatusResponse } from '../contract/operator.ts';
import { ROUTES } from '../contract/routes.ts';
import { reportProviders } from '../domain/metering/counter-totals.ts';
import { vendorSpendUsd, verificationsOf } from '../domain/metering/usage.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { failedDependency } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { callObject, type DeadLetter, type ObjectStatus, askOperators } from '../organisation/api.ts';
import type { Database } from '../storage/postgres/client.ts';
import { listCronSteps, summariseNightlySteps } from '../storage/postgres/nightly-steps.ts';
import { listOrganisations } from '../storage/postgres/organisations.ts';
import type { Deps } from './deps.ts';
import { acceptNamed } from './disposable-lists.ts';
import { knownOrganisations, type PageOfOrganisations } from './operators.ts';
import { organisationBody } from './organisations.ts';
import { readCursor } from './request-values.ts';
import { verb } from './verb.ts';

export const readStatus = verb({
  route: ROUTES.status,
  parse: ({ query: { limit, cursor } }) => ({ limit, before: readCursor(cursor, 'org') }),
  run: ({ deps }, page) => readServiceStatus(deps, page),
});

/** Accepts a larger change of a disposable list than the night would. */
export const acceptSource = verb({
  route: ROUTES.acceptSource,
  run: async ({ deps }, { body }) => acceptNamed({ ...deps.disposableLists, db: deps.db }, body.source, deps.now),
});

/** Objects asked at once. */
const PAGE = 100;

/** The service's health and a page of its organisations, by the objects and Postgres. */
async function readServiceStatus(
  deps: Pick<Deps, 'db' | 'objects' | 'faults' | 'flushCounters'>,
  page: PageOfOrganisations,
): Promise<StatusResponse> {
  const { db, objects, faults } = deps;
  const now = objects.now();
  const ageS = (at: number): number => Math.round((now - at) / SECOND_MS);
  await deps.flushCounters();
  const { counters, deadLetters } = await askOperators(objects).readOperations();
  const { ids, cursor, fromDirectory } = await knownOrganisations(db, objects, page);
  const [{ organisations, unreachable }, cron] = await Promise.all([
    readOrganisations(deps, ids, ageS),
    fromDirectory ? readCrons(db, ageS) : null,
  ]);
  const sum = (field: 'outbox_rows' | 'outbox_dead' | 'erasures' | 'jobs_failed'): number =>
    organisations.reduce((total, each) => total + each[field], 0);
  const ages = organisations.flatMap((each) => each.outbox_age_s ?? []);
  return {
    unread:
      cron === null
        ? [
            'Postgres: the crons, and organisations that were made while the list of them could not be kept, until the next night',
          ]
        : [],
    totals: {
      organisations: ids.length,
      unreachable: unreachable.length,
      outbox_rows: sum('outbox_rows'),
      outbox_age_s: ages.length === 0 ? null : Math.max(...ages),
      outbox_dead: sum('outbox_dead'),
      erasures: sum('erasures'),
      jobs_failed: sum('jobs_failed'),
      dead_letters: deadLetters.length,
    },
    organisations,
    cursor,
    unreachable,
    providers: reportProviders(counters).map(({ provider, calls, failed, meanMs, maxMs }) => ({
      provider,
      calls,
      failed,
      error_rate: Number((failed / calls).toFixed(4)),
      mean_ms: meanMs,
      max_ms: maxMs,
    })),
    dead_letters: byQueue(deadLetters, ageS),
    cron: cron ?? [],
    settings: faults.map(({ setting, problem, off }) => ({ setting, problem, off })),
    last_24h: { counters },
  };
}

async function readOrganisations(
  { objects }: Pick<Deps, 'objects'>,
  ids: readonly Id<'org'>[],
  ageS: (at: number) => number,
): Promise<Pick<StatusResponse, 'organisations' | 'unreachable'>> {
  const organisations: StatusResponse['organisations'] = [];
  const unreachable: string[] = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    const answers = await Promise.all(page.map((id) => callObject(objects, id).status()));
    for (const [place, id] of page.entries()) {
      const answer = answers[place];
      if (answer?.ok === true && answer.value !== null) organisations.push(organisationRow(id, answer.value, ageS));
      else unreachable.push(id);
    }
  }
  return { organisations, unreachable };
}

const organisationRow = (id: string, status: ObjectStatus, ageS: (at: number) => number) => ({
  id,
  outbox_rows: status.outboxRows,
  outbox_age_s: status.outboxOldestAt === null ? null : ageS(status.outboxOldestAt),
  outbox_dead: status.outboxDead,
  erasures: status.erasures,
  jobs_failed: status.jobsFailed,
  verifications: verificationsOf(status.usage),
  provider_spend_usd: vendorSpendUsd(status.usage),
});

/** Null while Postgres is away. */
async function readCrons(db: Database, ageS: (at: number) => number): Promise<StatusResponse['cron'] | null> {
  try {
    const [steps, nightly] = await Promise.all([listCronSteps(db), summariseNightlySteps(db)]);
    return [
      ...steps.map(({ step, finishedAt, report }) => ({ step, age_s: ageS(finishedAt), report })),
      ...nightly.map(({ step, finishedAt, ...report }) => ({
        step: `nightly ${step}`,
        age_s: ageS(finishedAt),
        report,
      })),
    ];
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    return null;
  }
}

function byQueue(letters: readonly DeadLetter[], ageS: (at: number) => number): StatusResponse['dead_letters'] {
  const queues = Map.groupBy(letters, ({ queue }) => queue);
  return [...queues].map(([queue, [newest, ...older]]) => ({
    queue,
    count: older.length + 1,
    newest_age_s: ageS(newest?.at ?? 0),
    newest: newest?.body ?? '',
  }));
}

export interface Operations {
  readonly status: Omit<StatusResponse, 'last_24h'>;
  /** Newest first; null while Postgres is away. */
  readonly directory: readonly Organisation[] | null;
}

/** The newest organisations; the command line reads all. */
const SHOWN = 1_000;

/** The service's status, and the organisations by name. Read-only. */
export async function readOperations(deps: Deps): Promise<Operations> {
  const [{ last_24h: _, ...status }, directory] = await Promise.all([
    readServiceStatus(deps, { before: null, limit: SHOWN }),
    readDirectory(deps),
  ]);
  const older = status.cursor === null ? [] : [`organisations older than the newest ${SHOWN}: \`operator status\``];
  return { status: { ...status, unread: [...status.unread, ...older] }, directory };
}

async function readDirectory({ db }: Pick<Deps, 'db'>): Promise<Organisation[] | null> {
  try {
    return (await listOrganisations(db, SHOWN, null)).map(organisationBody);
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    return null;
  }
}
