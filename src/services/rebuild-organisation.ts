import { ROUTES } from '../contract/routes.ts';
import type { AuditLine } from '../domain/access/keys.ts';
import { MEMORY_MS, type Observation } from '../domain/belief/facts.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { PolicyVersion } from '../domain/policy/document.ts';
import type { LossesVersion } from '../domain/router/losses.ts';
import { type Id, parseId } from '../kernel/ids.ts';
import { askObject } from '../organisation/api.ts';
import { findNewestTraces, listMailReports, type StoredMailReport } from '../storage/postgres/mail-reports.ts';
import { listPeople } from '../storage/postgres/members.ts';
import * as directory from '../storage/postgres/organisations.ts';
import {
  findUsage,
  listAuditLines,
  listProjectedJobs,
  listProjectedKeys,
  listProjectedLosses,
  listProjectedPolicies,
} from '../storage/postgres/projected-records.ts';
import { listProjectedRules } from '../storage/postgres/rules.ts';
import { listRememberedTraces, type RememberedTrace } from '../storage/postgres/trace-lists.ts';
import type { Deps } from './deps.ts';
import { observationsOfReports, observationsOfTrace, wantedBy } from './observations.ts';
import { notFound, organisationBody } from './organisations.ts';
import { verb } from './verb.ts';

/** Fills an organisation's object from its projection in Postgres. */
export const rebuildOrganisation = verb({
  route: ROUTES.rebuildOrganisation,
  run: async ({ deps }, { params }) => {
    const id = parseId('org', params.id);
    if (id === null) throw notFound('organisation');
    await requireLiving(deps, id);
    const settings = await directory.findOrganisation(deps.db, id);
    if (settings === null) throw notFound('organisation');
    try {
      await restore(deps, settings);
    } catch (error) {
      // A deleted organisation takes nothing more.
      await requireLiving(deps, id);
      throw error;
    }
    return { organisation: organisationBody(settings) };
  },
});

async function requireLiving({ objects }: Pick<Deps, 'objects'>, id: Id<'org'>): Promise<void> {
  if ((await askObject(objects, id).settings()) === 'deleted') throw notFound('organisation');
}

async function restore(deps: Deps, settings: OrganisationSettings): Promise<void> {
  const { db } = deps;
  const { id } = settings;
  const [keys, usage, rules, jobs, people] = await Promise.all([
    listProjectedKeys(db, id),
    findUsage(db, id),
    listProjectedRules(db, id),
    listProjectedJobs(db, id),
    listPeople(db, id),
  ]);
  const object = askObject(deps.objects, id);
  for await (const page of pagesOf(POLICY_PAGE, (last: PolicyVersion | null) =>
    listProjectedPolicies(db, id, POLICY_PAGE, last),
  ))
    await object.restorePolicies(page);
  for await (const page of pagesOf(PAGE, (last: LossesVersion | null) => listProjectedLosses(db, id, PAGE, last)))
    await object.restoreLosses(page);
  await object.rebuild({ settings, keys, usage, rules, ...people });
  for await (const lines of pagesOf(PAGE, (last: AuditLine | null) => listAuditLines(db, id, PAGE, last?.id ?? null)))
    await object.restoreAudit({ lines });
  await object.restoreJobs({ jobs });
  for (const source of [observationsOfTraces, observationsOfMail])
    for await (const observations of source(deps, id)) await object.restoreHistory({ observations });
  await object.recomputeHistory();
}

/** Rows read at once. */
const PAGE = 1_000;
/** Versions in a message to the object: at most 8 MB of its 32 MB. */
const POLICY_PAGE = 32;

/** Reads page by page; `read` gets the last row of the previous page. */
async function* pagesOf<T>(
  limit: number,
  read: (last: T | null) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  for (let last: T | null | undefined = null; last !== undefined;) {
    const page: readonly T[] = await read(last);
    if (page.length > 0) yield page;
    last = page.length < limit ? undefined : page.at(-1);
  }
}

type HistoryDeps = Pick<Deps, 'db' | 'hashAddress' | 'now'>;

/** Observations in traces, their reports, and events, oldest first. */
async function* observationsOfTraces(deps: HistoryDeps, id: Id<'org'>): AsyncGenerator<Observation[]> {
  const since = deps.now() - MEMORY_MS.to;
  const read = (last: RememberedTrace | null) => listRememberedTraces(deps.db, id, since, PAGE, last?.uuid ?? null);
  for await (const traces of pagesOf(PAGE, read)) yield traces.flatMap((trace) => observationsOfTrace(deps, id, trace));
}

/** Observations in reports of mail services and imports, with or without a trace. */
async function* observationsOfMail(deps: HistoryDeps, id: Id<'org'>): AsyncGenerator<Observation[]> {
  const since = deps.now() - MEMORY_MS.to;
  const read = (last: StoredMailReport | null) => listMailReports(deps.db, id, since, PAGE, last?.id ?? null);
  for await (const reports of pagesOf(PAGE, read))
    yield await observationsOfReports(deps, id, reports, await findNewestTraces(deps.db, reports.map(wantedBy)));
}
