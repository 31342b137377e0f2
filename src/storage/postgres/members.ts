import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type {
  InvitationRecord,
  MemberRecord,
  People,
  ProjectedInvitation,
  ProjectedMember,
} from '../../domain/access/member-records.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Database, requireAtMost } from './client.ts';
import { invitation, membership, organisation } from './directory-schema.ts';
import { jsonColumns, newestOf } from './statements.ts';

const MEMBER = jsonColumns(membership, []);
const INVITATION = jsonColumns(invitation, []);

/** Inserts or updates members; deletes former ones. The last record of each counts. */
export async function writeMembers(db: Database, records: readonly ProjectedMember[]): Promise<void> {
  const newest = newestOf(records, ({ organisationId, userId }) => `${organisationId} ${userId}`);
  const written = await db.execute(sql`
    with record as (
      select * from jsonb_to_recordset(${JSON.stringify(newest)}::jsonb) as record(${MEMBER.fields}, "isGone" boolean)
    ), gone as (
      delete from membership using record
      where "isGone" and membership.organisation_id = "organisationId" and membership.user_id = "userId"
    )
    insert into membership (${MEMBER.names}) select ${MEMBER.values} from record where "isGone" is null
    on conflict (organisation_id, user_id) do update set ${MEMBER.updates}`);
  requireAtMost(newest.length, written);
}

export async function writeInvitations(db: Database, records: readonly ProjectedInvitation[]): Promise<void> {
  const newest = newestOf(records, ({ id }) => id);
  const written = await db.execute(sql`
    with record as (
      select * from jsonb_to_recordset(${JSON.stringify(newest)}::jsonb) as record(${INVITATION.fields}, "isGone" boolean)
    ), gone as (
      delete from invitation using record where "isGone" and invitation.id = record.id
    )
    insert into invitation (${INVITATION.names}) select ${INVITATION.values} from record where "isGone" is null
    on conflict (id) do update set ${INVITATION.updates}`);
  requireAtMost(newest.length, written);
}

/** Erasure: removes a normalised address from the directory. If an object still has it, it returns. */
export async function deletePeopleByEmail(db: Database, email: string): Promise<void> {
  await db.delete(membership).where(eq(membership.email, email));
  await db.delete(invitation).where(eq(invitation.email, email));
}

/**
 * Erasure: removes a normalised address's sign-in account with its sessions, passkeys and pending links. The tables are
 * the dashboard's.
 */
export async function deleteSignIn(db: Database, email: string): Promise<void> {
  await db.execute(sql`delete from auth_user where email = ${email}`);
  await db.execute(sql`delete from auth_verification where strpos(value, ${JSON.stringify(email)}) > 0`);
}

/**
 * The same for an unused account: no organisation has the address as a member's or has invited it, and no session is
 * open. The account of a newly registered person is not another organisation's to delete.
 */
export async function deleteUnusedSignIn(db: Database, email: string, now: number): Promise<void> {
  await db.execute(sql`
    delete from auth_user where email = ${email}
      and not exists (select 1 from membership where membership.email = ${email} or membership.user_id = auth_user.id)
      and not exists (select 1 from invitation where invitation.email = ${email} and invitation.expires_at > ${now})
      and not exists (select 1 from auth_session where auth_session.user_id = auth_user.id
        and auth_session.expires_at > to_timestamp(${now / SECOND_MS}))`);
}

export async function listPeople(db: Database, organisationId: Id<'org'>): Promise<People> {
  const [members, invitations] = await Promise.all([
    db.select().from(membership).where(eq(membership.organisationId, organisationId)),
    db.select().from(invitation).where(eq(invitation.organisationId, organisationId)),
  ]);
  return { members: members.map(withoutOrganisation), invitations: invitations.map(withoutOrganisation) };
}

const withoutOrganisation = <T extends { organisationId: unknown }>({ organisationId: _, ...rest }: T) => rest;

/** A person's organisation in the directory. Only its object decides what the person may do there. */
export interface FoundMembership extends Pick<MemberRecord, 'userId' | 'role'> {
  readonly organisationId: Id<'org'>;
  readonly organisationName: string;
  readonly needsSecondFactor: boolean;
}

/** The memberships of a person, or of a normalised address, oldest organisation first. */
export async function listMemberships(
  db: Database,
  of: { readonly userId: Id<'u'> } | { readonly email: string },
): Promise<FoundMembership[]> {
  const { organisationId, userId, role } = membership;
  return db
    .select({
      organisationId,
      userId,
      role,
      organisationName: organisation.name,
      needsSecondFactor: organisation.secondFactor,
    })
    .from(membership)
    .innerJoin(organisation, eq(organisation.id, organisationId))
    .where('userId' in of ? eq(userId, of.userId) : eq(membership.email, of.email))
    .orderBy(asc(organisationId));
}

export interface FoundInvitation extends Pick<InvitationRecord, 'id' | 'role' | 'expiresAt'> {
  readonly organisationId: Id<'org'>;
  readonly organisationName: string;
}

/** The open invitations of a normalised address. */
export async function findInvitations(db: Database, email: string, now: number): Promise<FoundInvitation[]> {
  const { id, organisationId, role, expiresAt } = invitation;
  return db
    .select({ id, organisationId, role, expiresAt, organisationName: organisation.name })
    .from(invitation)
    .innerJoin(organisation, eq(organisation.id, organisationId))
    .where(and(eq(invitation.email, email), gt(expiresAt, now)))
    .orderBy(asc(id));
}
