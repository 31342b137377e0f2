import { type Author, type KeyRecord, NEVER_ROTATED, type Role, dashboardHash } from '../domain/access/keys.ts';
import {
  type AdminNotice,
  INVITATIONS_MAX,
  type InvitationRecord,
  MEMBERS_MAX,
  type MemberRecord,
  NEW_ADMIN_MS,
} from '../domain/access/member-records.ts';
import { DAY_MS, MINUTE_MS } from '../kernel/clock.ts';
import { type Id, newId } from '../kernel/ids.ts';
import { audit, type ChangeDeps, countActions } from './changes.ts';
import type { ObjectCore } from './core.ts';
import { findKey, insertKey, putKey, revokeKeysOf } from './keys.ts';
import * as store from './sql/members.ts';

const RETRY_MS = MINUTE_MS;
const MAIL_TRIES_MAX = 10;

/** Only a person with a fresh session, or an operator, decides who is an admin. A key can't become a person. */
interface PeopleChange extends Author {
  readonly isFresh?: boolean | undefined;
}

const mayChangeAdmins = ({ actor, isFresh }: PeopleChange): boolean => actor === 'operator' || isFresh === true;

export interface Removal extends PeopleChange {
  readonly userId: Id<'u'>;
}
export interface RoleChange extends Removal {
  readonly role: Role;
}
/** The author is the invitation's. */
export interface NewInvitation extends Omit<PeopleChange, 'actor'> {
  readonly invitation: InvitationRecord;
}
export interface Withdrawal extends Author {
  readonly id: Id<'inv'>;
}
export interface Acceptance {
  readonly id: Id<'inv'>;
  readonly person: Pick<MemberRecord, 'userId' | 'email' | 'name'>;
}

/** `not_fresh`: needs a person who has just signed in. `new_admin`: an admin for less than a day. */
export type MemberRefusal = 'unknown' | 'last_admin' | 'full' | 'not_fresh' | 'new_admin';
export type MemberAnswer =
  | { readonly ok: true; readonly member: MemberRecord }
  | { readonly ok: false; readonly refusal: MemberRefusal };

export type InvitationRefusal = 'member' | 'full' | 'too_many' | 'not_fresh';
export type InvitationAnswer =
  | { readonly ok: true; readonly invitation: InvitationRecord }
  | { readonly ok: false; readonly refusal: InvitationRefusal };

/** `unknown`: withdrawn, accepted by somebody else, never made, or expired. `other_address`: for another person. */
export type AcceptAnswer =
  | { readonly ok: true; readonly member: MemberRecord }
  | { readonly ok: false; readonly refusal: 'unknown' | 'other_address' | 'full' };

/** A member's role, and the key of their requests from the dashboard. */
export interface Membership {
  readonly role: Role;
  readonly keyId: Id<'key'>;
  /** An admin for less than a day can't end what older ones have. */
  readonly isNewAdmin: boolean;
}

const refused = (refusal: MemberRefusal): MemberAnswer => ({ ok: false, refusal });

/** Null for a person who is no member. */
export function membershipOf(core: ObjectCore, userId: Id<'u'>): Membership | null {
  const found = core.isDeleted ? null : store.findMember(core.sql, userId);
  if (found === null) return null;
  const isNewAdmin = store.listMembers(core.sql).some((other) => isNewBeside(found, other, core.now()));
  return { role: found.role, keyId: found.keyId, isNewAdmin };
}

/** Adds a member with a dashboard key of the same role, or leaves an existing one unchanged. */
export function putMember(deps: ChangeDeps, member: MemberRecord, author: Author): MemberAnswer {
  const { sql } = deps;
  const known = store.findMember(sql, member.userId);
  if (known !== null) return { ok: true, member: withoutKey(known) };
  if (store.listMembers(sql).length >= MEMBERS_MAX) return refused('full');
  const key = dashboardKey(member, deps.now);
  insertKey(sql, key);
  deps.project('api_key', key.id, key);
  const isAdmin = member.role === 'admin';
  putHeld(deps, { ...member, keyId: key.id, adminSince: isAdmin ? deps.now : null });
  if (isAdmin) tellAdmins(deps, member, 'added');
  audit(deps, { ...author, action: 'member.added', target: member.userId, summary: `role ${member.role}` });
  return { ok: true, member };
}

function putHeld({ sql, project }: ChangeDeps, member: store.HeldMember): void {
  store.putMember(sql, member);
  project('member', member.userId, withoutKey(member));
}

/** Names the person in traces and lists. */
const dashboardKey = ({ userId, role }: MemberRecord, now: number): KeyRecord => {
  const id = newId('key', now);
  return {
    id,
    hash: dashboardHash(id),
    last4: '',
    name: 'Dashboard',
    role,
    mode: 'live',
    origin: 'auto',
    operator: false,
    userId,
    secretVersion: '',
    createdAt: now,
    createdBy: userId,
    expiresAt: null,
    ...NEVER_ROTATED,
    revokedAt: null,
  };
};

/** Changes a member's role. Their keys above it are revoked, since a lower role would otherwise change nothing. */
export function changeMember(deps: ChangeDeps, change: RoleChange): MemberAnswer {
  const { sql } = deps;
  const { userId, role, actor, keyId } = change;
  const member = store.findMember(sql, userId);
  if (member === null) return refused('unknown');
  if (member.role === role) return { ok: true, member: withoutKey(member) };
  const refusal = refusalOf(deps, member, change);
  if (refusal !== null) return refused(refusal);
  if (role === 'admin' && !mayChangeAdmins(change)) return refused('not_fresh');
  const changed = { ...member, role, adminSince: role === 'admin' ? deps.now : null };
  if (role === 'admin') tellAdmins(deps, member, 'added');
  if (member.role === 'admin') tellAdmins(deps, member, 'removed');
  putHeld(deps, changed);
  const key = findKey(sql, member.keyId);
  if (key !== null) {
    putKey(sql, { ...key, role });
    deps.project('api_key', key.id, { ...key, role });
  }
  const revoked = revokeKeysOf(deps, userId, role);
  const keys = revoked === 0 ? '' : `, ${revoked} ${revoked === 1 ? 'key' : 'keys'} revoked`;
  const summary = `role ${member.role} to ${role}${keys}`;
  audit(deps, { actor, keyId, action: 'member.changed', target: userId, summary });
  return { ok: true, member: withoutKey(changed) };
}

/** Ends a membership, and revokes every key of the person. */
export function removeMember(deps: ChangeDeps, removal: Removal): MemberAnswer {
  const { actor, keyId } = removal;
  const member = store.findMember(deps.sql, removal.userId);
  if (member === null) return refused('unknown');
  const refusal = refusalOf(deps, member, removal);
  if (refusal !== null) return refused(refusal);
  remove(deps, member, { actor, keyId });
  return { ok: true, member: withoutKey(member) };
}

/** Why an admin can't be changed; null if the member is no admin, or may be. */
function refusalOf(deps: ChangeDeps, member: store.HeldMember, change: Removal): MemberRefusal | null {
  if (member.role !== 'admin') return null;
  if (store.countAdmins(deps.sql) === 1) return 'last_admin';
  if (!mayChangeAdmins(change)) return 'not_fresh';
  const by = store.listMembers(deps.sql).find(({ userId }) => userId === change.actor);
  return by !== undefined && isNewBeside(by, member, deps.now) ? 'new_admin' : null;
}

/** Whether `one` has been an admin for less than a day, and `other` was one before. */
const isNewBeside = (one: store.HeldMember, other: store.HeldMember, now: number): boolean =>
  one.adminSince !== null &&
  other.adminSince !== null &&
  now - one.adminSince < NEW_ADMIN_MS &&
  other.adminSince < one.adminSince;

/** Mails every admin about one who joins or leaves, including that one. */
function tellAdmins({ sql, now }: ChangeDeps, { userId, email }: MemberRecord, change: AdminNotice['change']): void {
  const admins = store.listMembers(sql).filter((each) => each.role === 'admin' && each.userId !== userId);
  if (admins.length === 0) return;
  for (const to of [email, ...admins.map((each) => each.email)])
    store.putNotice(sql, { id: newId('an', now), change, about: email, to, mailTry: 1 });
}

function remove(deps: ChangeDeps, member: MemberRecord, author: Author): void {
  const { userId, role } = member;
  if (role === 'admin') tellAdmins(deps, member, 'removed');
  // Excludes the dashboard key.
  const revoked = revokeKeysOf(deps, userId, null) - 1;
  store.deleteMember(deps.sql, userId);
  deps.project('member', userId, { userId, isGone: true });
  const summary = `role ${role}, ${revoked} ${revoked === 1 ? 'key' : 'keys'} revoked`;
  audit(deps, { ...author, action: 'member.removed', target: userId, summary });
}

/** Erasure of a normalised address: removes its member, even the last admin, and its invitation. */
export function dropPerson(deps: ChangeDeps, email: string): null {
  const found = store.listMembers(deps.sql).find((member) => member.email === email);
  if (found !== undefined) remove(deps, found, { actor: 'operator' });
  store.deleteNotices(deps.sql, email);
  for (const invitation of store.listAllInvitations(deps.sql))
    if (invitation.email === email) deleteInvitation(deps, invitation.id);
  return null;
}

function deleteInvitation({ sql, project }: ChangeDeps, id: Id<'inv'>): boolean {
  const isDeleted = store.deleteInvitation(sql, id);
  if (isDeleted) project('invitation', id, { id, isGone: true });
  return isDeleted;
}

/** Removes invitations that nobody accepted in time, and says when the next one expires. */
export async function expireInvitations(core: ObjectCore): Promise<() => number | null> {
  core.change((deps) => {
    for (const { id, expiresAt } of store.listAllInvitations(deps.sql))
      if (expiresAt <= deps.now) deleteInvitation(deps, id);
  });
  return () => store.nextExpiry(core.sql);
}

/** A second invitation of an address replaces the first. */
export function invite(deps: ChangeDeps, change: NewInvitation): InvitationAnswer {
  const { sql, now } = deps;
  const { invitation, keyId } = change;
  const actor = invitation.createdBy;
  const known = store.findInvitation(sql, invitation.id);
  if (known !== null) return { ok: true, invitation: withoutMail(known) };
  if (invitation.role === 'admin' && !mayChangeAdmins({ ...change, actor })) return { ok: false, refusal: 'not_fresh' };
  if (store.listMembers(sql).some(({ email }) => email === invitation.email)) return { ok: false, refusal: 'member' };
  const open = store.listInvitations(sql, now);
  const earlier = open.filter(({ email }) => email === invitation.email);
  if (open.length - earlier.length >= INVITATIONS_MAX) return { ok: false, refusal: 'full' };
  if (countActions(sql, 'invitation.made', now - DAY_MS) >= INVITATIONS_MAX) return { ok: false, refusal: 'too_many' };
  for (const { id } of earlier) deleteInvitation(deps, id);
  store.putInvitation(sql, { ...invitation, mailTry: 1 });
  deps.project('invitation', invitation.id, invitation);
  const { id, role } = invitation;
  audit(deps, { actor, keyId, action: 'invitation.made', target: id, summary: `role ${role}` });
  return { ok: true, invitation };
}

export function withdrawInvitation(deps: ChangeDeps, { id, actor, keyId }: Withdrawal): boolean {
  const isDeleted = deleteInvitation(deps, id);
  if (isDeleted) audit(deps, { actor, keyId, action: 'invitation.withdrawn', target: id, summary: '' });
  return isDeleted;
}

/** Makes the person a member in the invitation's role. An existing member keeps theirs. */
export function acceptInvitation(deps: ChangeDeps, { id, person }: Acceptance): AcceptAnswer {
  const { sql, now } = deps;
  const invitation = store.findInvitation(sql, id);
  if (invitation === null || invitation.expiresAt <= now) {
    // The transport may send it again, and a person may press twice.
    const member = store.findMember(sql, person.userId);
    return member === null ? { ok: false, refusal: 'unknown' } : { ok: true, member: withoutKey(member) };
  }
  if (invitation.email !== person.email) return { ok: false, refusal: 'other_address' };
  const { role, createdBy } = invitation;
  const put = putMember(deps, { ...person, role, createdAt: now, createdBy }, { actor: person.userId });
  if (!put.ok) return { ok: false, refusal: 'full' };
  deleteInvitation(deps, id);
  return put;
}

export const hasMails = (core: ObjectCore): boolean =>
  store.listUnmailed(core.sql, core.now()).length + store.listNotices(core.sql).length > 0;

/** The timer for mails to invited people and to admins. */
export async function sendPeopleMails(core: ObjectCore): Promise<() => number | null> {
  const { sql, services } = core;
  let isLeft = false;
  for (const notice of store.listNotices(sql)) {
    const isOver = (await services.sendAdminNotice(core.require(), notice)) || notice.mailTry >= MAIL_TRIES_MAX;
    store.putNotice(sql, { ...notice, mailTry: isOver ? 0 : notice.mailTry + 1 });
    isLeft ||= !isOver;
  }
  for (const invitation of store.listUnmailed(sql, core.now())) {
    const { id, mailTry } = invitation;
    const isOver =
      (await services.sendInvitation(core.require(), withoutMail(invitation))) || mailTry >= MAIL_TRIES_MAX;
    store.setMailTry(sql, id, isOver ? 0 : mailTry + 1);
    isLeft ||= !isOver;
  }
  return () => {
    if (isLeft) return core.now() + RETRY_MS;
    return hasMails(core) ? core.now() : null;
  };
}

export const withoutKey = ({ keyId: _, adminSince: __, ...member }: store.HeldMember): MemberRecord => member;
export const withoutMail = ({ mailTry: _, ...invitation }: store.HeldInvitation): InvitationRecord => invitation;
