import type { AdminNotice, InvitationRecord, MemberRecord } from '../../domain/access/member-records.ts';
import type { Id } from '../../kernel/ids.ts';
import { clause, type ColumnsOf, insertRecord, orReplace, selectList, type Sql } from './sql.ts';

/** A member with their dashboard key's id, and the time since when they are an admin. */
export interface HeldMember extends MemberRecord {
  readonly keyId: Id<'key'>;
  readonly adminSince: number | null;
}

const MEMBER: ColumnsOf<HeldMember> = {
  userId: 'user_id',
  email: 'email',
  name: 'name',
  role: 'role',
  keyId: 'key_id',
  adminSince: 'admin_since',
  createdAt: 'created_at',
  createdBy: 'created_by',
};

export const findMember = (sql: Sql, userId: Id<'u'>): HeldMember | null =>
  sql.first<HeldMember>`select ${selectList(MEMBER)} from member where user_id = ${userId}` ?? null;

/** Oldest first. */
export const listMembers = (sql: Sql): HeldMember[] =>
  sql.all<HeldMember>`select ${selectList(MEMBER)} from member order by created_at, user_id`;

export const putMember = (sql: Sql, member: HeldMember): void =>
  void insertRecord<HeldMember>(sql, 'member', MEMBER, member, orReplace('user_id', MEMBER, []));

export function deleteMember(sql: Sql, userId: Id<'u'>): void {
  sql.run`delete from member where user_id = ${userId}`;
}

export const countAdmins = (sql: Sql): number => sql.count`select count(*) from member where role = 'admin'`;

/** `mailTry`: the next try of its mail; 0: none. */
export interface HeldInvitation extends InvitationRecord {
  readonly mailTry: number;
}

const INVITATION: ColumnsOf<HeldInvitation> = {
  id: 'id',
  email: 'email',
  role: 'role',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
  createdBy: 'created_by',
  mailTry: 'mail_try',
};
const INVITATIONS = clause`select ${selectList(INVITATION)} from invitation`;

export const findInvitation = (sql: Sql, id: Id<'inv'>): HeldInvitation | null =>
  sql.first<HeldInvitation>`${INVITATIONS} where id = ${id}` ?? null;

/** Including expired ones. */
export const listAllInvitations = (sql: Sql): HeldInvitation[] => sql.all<HeldInvitation>`${INVITATIONS}`;

export const nextExpiry = (sql: Sql): number | null =>
  sql.first<{ next: number | null }>`select min(expires_at) as next from invitation`?.next ?? null;

/** Whether the address is a member's, or an invitation's, expired or not. */
export const hasPerson = (sql: Sql, email: string): boolean =>
  sql.first`select 1 from member where email = ${email} union all select 1 from invitation where email = ${email}` !==
  undefined;

/** Newest first. */
export const listInvitations = (sql: Sql, now: number): HeldInvitation[] =>
  sql.all<HeldInvitation>`${INVITATIONS} where expires_at > ${now} order by id desc`;

export const listUnmailed = (sql: Sql, now: number): HeldInvitation[] =>
  sql.all<HeldInvitation>`${INVITATIONS} where mail_try > 0 and expires_at > ${now} order by id`;

export const putInvitation = (sql: Sql, invitation: HeldInvitation): void =>
  void insertRecord<HeldInvitation>(sql, 'invitation', INVITATION, invitation, orReplace('id', INVITATION, []));

export function deleteInvitation(sql: Sql, id: Id<'inv'>): boolean {
  return sql.all`delete from invitation where id = ${id} returning id`.length === 1;
}

export const setMailTry = (sql: Sql, id: Id<'inv'>, mailTry: number): void =>
  sql.run`update invitation set mail_try = ${mailTry} where id = ${id}`;

/** `mailTry`: the next try. */
export interface HeldNotice extends AdminNotice {
  readonly mailTry: number;
}

const NOTICE: ColumnsOf<HeldNotice> = { id: 'id', change: 'change', about: 'about', to: '"to"', mailTry: 'mail_try' };

export const listNotices = (sql: Sql): HeldNotice[] =>
  sql.all<HeldNotice>`select ${selectList(NOTICE)} from admin_notice order by id`;

/** Stores the notice, or removes it after its last try. */
export function putNotice(sql: Sql, notice: HeldNotice): void {
  sql.run`delete from admin_notice where id = ${notice.id}`;
  if (notice.mailTry > 0) insertRecord<HeldNotice>(sql, 'admin_notice', NOTICE, notice, '');
}

/** Erasure of those that name the address. */
export const deleteNotices = (sql: Sql, email: string): void =>
  sql.run`delete from admin_notice where about = ${email} or "to" = ${email}`;
