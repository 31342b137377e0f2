import { and, desc, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import type { Limits } from '../../domain/metering/usage.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Database, requireAtMost } from './client.ts';
import { appUser, membership, organisation } from './directory-schema.ts';
import { deleteWhere, excluded, newestOf } from './statements.ts';

/** Columns that an update leaves alone: they never change, or are versions of other tables. */
const UNCHANGING = ['id', 'accountId', 'createdAt', 'domainRulesVersion', 'addressRulesVersion'] as const;

/** Inserts or updates organisations in the directory; an older version changes nothing. */
export async function upsertOrganisations(db: Database, settings: readonly OrganisationSettings[]): Promise<void> {
  const newest = newestOf(
    settings,
    ({ id }) => id,
    ({ version }) => version,
  );
  const written = await db
    .insert(organisation)
    .values(newest.map(({ limits, ...rest }) => ({ ...rest, ...limits })))
    .onConflictDoUpdate({
      target: organisation.id,
      set: excluded(organisation, UNCHANGING),
      setWhere: sql`${organisation.version} < excluded.version`,
    });
  requireAtMost(newest.length, written);
}

type OrganisationRow = typeof organisation.$inferSelect;

export async function findOrganisation(db: Database, id: Id<'org'>): Promise<OrganisationSettings | null> {
  const rows = await db.select().from(organisation).where(eq(organisation.id, id));
  return rows[0] ? toSettings(rows[0]) : null;
}

/** Newest first; `before`: the last id of the previous page. */
export async function listOrganisations(
  db: Database,
  limit: number,
  before: Id<'org'> | null,
): Promise<OrganisationSettings[]> {
  const rows = await db
    .select()
    .from(organisation)
    .where(before === null ? undefined : lt(organisation.id, before))
    .orderBy(desc(organisation.id))
    .limit(limit);
  return rows.map(toSettings);
}

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
  const { domainRulesVersion: _, addressRulesVersion: __, ...settings } = row;
  const {
    verificationQuota,
    screeningAllowance,
    enrichmentBudgetMicros,
    providerBudgetMicros,
    ratePerMinute,
    ...rest
  } = settings;
  const limits: Required<Limits> = {
    verificationQuota,
    screeningAllowance,
    enrichmentBudgetMicros,
    providerBudgetMicros,
    ratePerMinute,
  };
  return { ...rest, limits };
}

export type User = typeof appUser.$inferSelect;

/** A person's first organisation keeps the row. */
export async function insertUser(db: Database, user: User): Promise<void> {
  await db.insert(appUser).values(user).onConflictDoNothing();
}

/** Whether the organisation has the person, as a member or an operator's user. */
export const hasUser = async (db: Database, organisationId: Id<'org'>, id: Id<'u'>): Promise<boolean> =>
  (await findUserEmail(db, organisationId, id)) !== null;

/** An organisation's user with this normalised e-mail address. */
export async function findUserOf(db: Database, organisationId: Id<'org'>, email: string): Promise<User | null> {
  const rows = await db
    .select()
    .from(appUser)
    .where(and(eq(appUser.organisationId, organisationId), eq(appUser.email, email)));
  return rows[0] ?? null;
}

/** The oldest user with this normalised e-mail address, in any organisation. */
export async function findUserId(db: Database, email: string): Promise<Id<'u'> | null> {
  const rows = await db
    .select({ id: appUser.id })
    .from(appUser)
    .where(eq(appUser.email, email))
    .orderBy(appUser.id)
    .limit(1);
  return rows[0]?.id ?? null;
}

/** A person's e-mail address; null if the organisation does not have the person. */
export async function findUserEmail(db: Database, organisationId: Id<'org'>, id: Id<'u'>): Promise<string | null> {
  const isMember = and(eq(membership.organisationId, organisationId), eq(membership.userId, id));
  const isUser = and(eq(appUser.organisationId, organisationId), eq(appUser.id, id));
  const members = db.select({ email: membership.email }).from(membership).where(isMember);
  const rows = await members.unionAll(db.select({ email: appUser.email }).from(appUser).where(isUser));
  return rows[0]?.email ?? null;
}

/** Removes users with this normalised e-mail address. */
export const deleteUsersByEmail = (db: Database, email: string): Promise<number> =>
  deleteWhere(db, appUser, eq(appUser.email, email));

/** Removes the organisation's users whose normalised address `isMeant` accepts. */
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
