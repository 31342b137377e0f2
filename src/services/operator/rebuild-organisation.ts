import { ROUTES } from '../../contract/routes.ts';
import type { AuditLine } from '../../domain/access/audit.ts';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import type { PolicyVersion } from '../../domain/policy/policy-records.ts';
import type { Learnt } from '../../domain/verification/history.ts';
import { KEPT_MS } from '../../domain/verification/history-merge.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { listProjectedKeys } from '../../storage/postgres/access.ts';
import { listAuditLines } from '../../storage/postgres/audit.ts';
import { listProjectedJobs } from '../../storage/postgres/bulk.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { listRememberedTraces, type RememberedTrace } from '../../storage/postgres/history.ts';
import { findNewestTraces, listMailReports, type StoredMailReport } from '../../storage/postgres/mail-reports.ts';
import { listPeople } from '../../storage/postgres/members.ts';
import { findUsage } from '../../storage/postgres/metering.ts';
import * as directory from '../../storage/postgres/organisations.ts';
import { listProjectedPolicies } from '../../storage/postgres/policy.ts';
import { listProjectedRules } from '../../storage/postgres/rules.ts';
import { restoreCalibration } from '../calibration/calibration.ts';
import type { Deps } from '../deps.ts';
import { learntOfReports, wantedBy } from '../feedback/learnt-of-reports.ts';
import { learntOfTrace } from '../feedback/learnt-of-trace.ts';
import { verb } from '../verb.ts';
import { notFound, organisationBody } from './organisations.ts';

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
      // Deleted meanwhile, it takes nothing more.
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
  for await (const page of allPolicies(db, id)) await askObject(deps.objects, id).restorePolicies(page);
  await askObject(deps.objects, id).rebuild({ settings, keys, usage, rules, ...people });
  for await (const lines of allAuditLines(db, id)) await askObject(deps.objects, id).restoreAudit({ lines });
  await restoreCalibration(deps, id);
  await askObject(deps.objects, id).restoreJobs({ jobs });
  for (const source of [learntOfTraces, learntOfMail])
    for await (const learnt of source(deps, id)) await askObject(deps.objects, id).restoreHistory({ learnt });
}

/** Traces or reports read at once. */
const HISTORY_PAGE = 1_000;

/** What traces, the reports that name them, and events say of addresses, oldest first. */
async function* learntOfTraces(
  deps: Pick<Deps, 'db' | 'hashAddress' | 'now'>,
  id: Id<'org'>,
): AsyncGenerator<Learnt[]> {
  const since = deps.now() - KEPT_MS;
  for (let after: string | null | undefined = null; after !== undefined;) {
    const traces: readonly RememberedTrace[] = await listRememberedTraces(deps.db, id, since, HISTORY_PAGE, after);
    const learnt = traces.flatMap((trace) => learntOfTrace(deps, id, trace));
    if (learnt.length > 0) yield learnt;
    after = traces.length < HISTORY_PAGE ? undefined : traces.at(-1)?.uuid;
  }
}

/** What mail services and imports have reported of addresses, whose trace may be there or not. */
async function* learntOfMail(deps: Pick<Deps, 'db' | 'hashAddress' | 'now'>, id: Id<'org'>): AsyncGenerator<Learnt[]> {
  const since = deps.now() - KEPT_MS;
  for (let after: string | null | undefined = null; after !== undefined;) {
    const reports: StoredMailReport[] = await listMailReports(deps.db, id, since, HISTORY_PAGE, after);
    const learnt = await learntOfReports(deps, id, reports, await findNewestTraces(deps.db, reports.map(wantedBy)));
    if (learnt.length > 0) yield learnt;
    after = reports.length < HISTORY_PAGE ? undefined : reports.at(-1)?.id;
  }
}

/** Lines read at once. */
const AUDIT_PAGE = 1_000;

/** The whole audit log of an organisation, page by page. */
async function* allAuditLines(db: Database, id: Id<'org'>): AsyncGenerator<AuditLine[]> {
  for (let after: Id<'au'> | null | undefined = null; after !== undefined;) {
    const lines: AuditLine[] = await listAuditLines(db, id, AUDIT_PAGE, after);
    if (lines.length > 0) yield lines;
    after = lines.length < AUDIT_PAGE ? undefined : lines.at(-1)?.id;
  }
}

/** Versions a message to the object: at most 8 MB of the 32 MB that a message may have. */
const POLICY_PAGE = 32;

/** Every version of every policy of an organisation, page by page. */
async function* allPolicies(db: Database, id: Id<'org'>): AsyncGenerator<PolicyVersion[]> {
  let after: PolicyVersion | null = null;
  for (;;) {
    const page: PolicyVersion[] = await listProjectedPolicies(db, id, POLICY_PAGE, after);
    if (page.length > 0) yield page;
    if (page.length < POLICY_PAGE) return;
    after = page.at(-1) ?? null;
  }
}
