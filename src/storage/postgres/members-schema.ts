import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { InvitationRecord, MemberRecord } from '../../domain/access/member-records.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Holds, time } from './columns.ts';

const organisationId = () => text('organisation_id').$type<Id<'org'>>().notNull();
const role = () => text('role').$type<MemberRecord['role']>().notNull();

/** Which organisations a person is in: a projection of the organisations' objects, which alone say who may do what. */
export const membership = pgTable(
  'membership',
  {
    organisationId: organisationId(),
    userId: text('user_id').$type<Id<'u'>>().notNull(),
    email: text('email').notNull(),
    name: text('name'),
    role: role(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by').$type<MemberRecord['createdBy']>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.userId] }),
    index('membership_user').on(table.userId),
    index('membership_email').on(table.email),
  ],
) satisfies Holds<MemberRecord>;

/** Who is invited: a projection too. */
export const invitation = pgTable(
  'invitation',
  {
    id: text('id').$type<Id<'inv'>>().primaryKey(),
    organisationId: organisationId(),
    email: text('email').notNull(),
    role: role(),
    createdAt: time('created_at').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdBy: text('created_by').$type<InvitationRecord['createdBy']>().notNull(),
  },
  (table) => [index('invitation_organisation').on(table.organisationId), index('invitation_email').on(table.email)],
) satisfies Holds<InvitationRecord>;
