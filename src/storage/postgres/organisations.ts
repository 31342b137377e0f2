import { desc, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { appUser, organisation } from './schema.ts';

/** Enters organisations in the directory, or brings their settings up to date; an older version changes nothing. */
export async function upsertOrganisations(db: Database, settings: readonly OrganisationSettings[]): Promise<void> {
  const newest = new Map<string, OrganisationSettings>();
  for (const each of settings) if (each.version >= (newest.get(each.id)?.version ?? 0)) newest.set(each.id, each);
  await db
    .insert(organisation)
    .values([...newest.values()].map(({ limits, ...rest }) => ({ ...rest, ...limits })))
    .onConflictDoUpdate({
      target: organisation.id,
      set: {
        name: sql`excluded.name`,
        verificationQuota: sql`excluded.verification_quota`,
        screeningAllowance: sql`excluded.screening_allowance`,
        enrichmentBudgetMicros: sql`excluded.enrichment_budget_micros`,
        ratePerMinute: sql`excluded.rate_per_minute`,
        version: sql`excluded.version`,
      },
      setWhere: sql`${organisation.version} < excluded.version`,
    });
}

type OrganisationRow = typeof organisation.$inferSelect;

export async function findOrganisation(db: Database, id: Id<'org'>): Promise<OrganisationSettings | null> {
  const rows = await db.select().from(organisation).where(eq(organisation.id, id));
  return rows[0] ? toSettings(rows[0]) : null;
}

/** Newest first; `before`: the last id of the page before. */
export async function listOrganisations(
  db: Database,
  limit: number,
  before: string | null,
): Promise<OrganisationSettings[]> {
  const rows = await db
    .select()
    .from(organisation)
    .where(before === null ? undefined : lt(organisation.id, before))
    .orderBy(desc(organisation.id))
    .limit(limit);
  return rows.map(toSettings);
}

/** Whether any organisation is as old as that. */
export async function hasOrganisationBefore(db: Database, createdAt: number): Promise<boolean> {
  const rows = await db
    .select({ id: organisation.id })
    .from(organisation)
    .where(lte(organisation.createdAt, createdAt))
    .limit(1);
  return rows.length > 0;
}

export async function deleteOrganisation(db: Database, id: Id<'org'>): Promise<void> {
  await db.delete(appUser).where(eq(appUser.organisationId, id));
  await db.delete(organisation).where(eq(organisation.id, id));
}

function toSettings(row: OrganisationRow): OrganisationSettings {
  const { id, accountId, name, createdAt, version } = row;
  const { verificationQuota, screeningAllowance, enrichmentBudgetMicros, ratePerMinute } = row;
  const limits = { verificationQuota, screeningAllowance, enrichmentBudgetMicros, ratePerMinute };
  return { id: id as Id<'org'>, accountId: accountId as Id<'acct'>, name, limits, createdAt, version };
}

export interface User {
  readonly id: Id<'u'>;
  readonly organisationId: Id<'org'>;
  readonly email: string;
  readonly name: string | null;
  readonly createdAt: number;
}

export async function insertUser(db: Database, user: User): Promise<void> {
  await db.insert(appUser).values(user);
}

export async function hasUser(db: Database, organisationId: Id<'org'>, id: Id<'u'>): Promise<boolean> {
  const rows = await db.select({ organisationId: appUser.organisationId }).from(appUser).where(eq(appUser.id, id));
  return rows[0]?.organisationId === organisationId;
}

/** Where a user of the organisation gets mail; null when the organisation has no such user. */
export async function findUserEmail(db: Database, organisationId: Id<'org'>, id: Id<'u'>): Promise<string | null> {
  const rows = await db
    .select({ email: appUser.email, organisationId: appUser.organisationId })
    .from(appUser)
    .where(eq(appUser.id, id));
  return rows[0]?.organisationId === organisationId ? rows[0].email : null;
}

/** Removes users with this e-mail address, normalised. */
export async function deleteUsersByEmail(db: Database, email: string): Promise<number> {
  const rows = await db.delete(appUser).where(eq(appUser.email, email)).returning({ id: appUser.id });
  return rows.length;
}

/** Removes those of an organisation's users whose address, normalised, is meant. */
export async function deleteUsersOf(
  db: Database,
  organisationId: Id<'org'>,
  isMeant: (email: string) => boolean,
): Promise<void> {
  const users = await db
    .select({ id: appUser.id, email: appUser.email })
    .from(appUser)
    .where(eq(appUser.organisationId, organisationId));
  const ids = users.filter(({ email }) => isMeant(email)).map(({ id }) => id);
  if (ids.length > 0) await db.delete(appUser).where(inArray(appUser.id, ids));
}
