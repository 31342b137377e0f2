import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import type { PolicyVersion } from '../../domain/policy/policy-records.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { listOrganisations } from '../../storage/postgres/organisations.ts';
import { listProjectedPolicies } from '../../storage/postgres/policy.ts';

const PAGE = 100;

/** Every organisation older than `after`, page by page, newest first. */
export async function* allOrganisations(
  db: Database,
  after: Id<'org'> | null = null,
): AsyncGenerator<OrganisationSettings[]> {
  let before = after;
  for (;;) {
    const page: OrganisationSettings[] = await listOrganisations(db, PAGE, before);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    before = page.at(-1)?.id ?? null;
  }
}

/** Versions a message to the object: of the longest documents 8 MB, where it may have 32. */
const POLICY_PAGE = 32;

/** Every version of every policy of an organisation, page by page. */
export async function* allPolicies(db: Database, id: Id<'org'>): AsyncGenerator<PolicyVersion[]> {
  let after: PolicyVersion | null = null;
  for (;;) {
    const page: PolicyVersion[] = await listProjectedPolicies(db, id, POLICY_PAGE, after);
    if (page.length > 0) yield page;
    if (page.length < POLICY_PAGE) return;
    after = page.at(-1) ?? null;
  }
}
