import { type Actor, type KeyRecord, NEVER_ROTATED, type Role, dashboardHash } from '../domain/access/keys.ts';
import {
  INVITATIONS_MAX,
  type InvitationRecord,
  MEMBERS_MAX,
  type MemberRecord,
} from '../domain/access/member-records.ts';
import { DAY_MS, MINUTE_MS } from '../kernel/clock.ts';
import { type Id, newId } from '../kernel/ids.ts';
import { audit, type ChangeDeps, countActions } from './changes.ts';
import type { ObjectCore } from './core.ts';
import { findKey, insertKey, putKey, revokeKeysOf } from './keys.ts';
import * as store from './sql/members.ts';

const RETRY_MS = MINUTE_MS;
const MAIL_TRIES_MAX = 10;

export interface Removal {
  readonly userId: Id<'u'>;
  readonly actor: Actor;
}
export interface RoleChange extends Removal {
  readonly role: Role;
}
export interface Withdrawal {
  readonly id: Id<'inv'>;
  readonly actor: Actor;
}
export interface Acceptance {
  readonly id: Id<'inv'>;
  readonly person: Pick<MemberRecord, 'userId' | 'email' | 'name'>;
}

export type MemberRefusal = 'unknown' | 'last_admin' | 'full';
export type MemberAnswer =
  | { readonly ok: true; readonly member: MemberRecord }
  | { readonly ok: false; readonly refusal: MemberRefusal };

export type InvitationRefusal = 'member' | 'full' | 'too_many';
export type InvitationAnswer =
  | { readonly ok: true; readonly invitation: InvitationRecord }
  | { readonly ok: false; readonly refusal: InvitationRefusal };

/** `unknown`: withdrawn, accepted before by somebody else, never made, or out of time. `other_address`: meant for another person. */
export type AcceptAnswer =
  | { readonly ok: true; readonly member: MemberRecord }
  | { readonly ok: false; readonly refusal: 'unknown' | 'other_address' | 'full' };

/** A member's role, and the key that their requests from the dashboard have. */
export interface Membership {
  readonly role: Role;
  readonly keyId: Id<'key'>;
}

const refused = (refusal: MemberRefusal): MemberAnswer => ({ ok: false, refusal });

/** Role and dashboard key of a member; null means the person is not a member. */
export function membershipOf(core: ObjectCore, userId: Id<'u'>): Membership | null {
  const found = core.isDeleted ? null : store.findMember(core.sql, userId);
  return found === null ? null : { role: found.role, keyId: found.keyId };
}

/** Adds a member with a dashboard key of the same role, or leaves the member that is there as it is. */
export function putMember(deps: ChangeDeps, member: MemberRecord, actor: Actor): MemberAnswer {
  const { sql } = deps;
  const known = store.findMember(sql, member.userId);
  if (known !== null) return { ok: true, member: withoutKey(known) };
  if (store.listMembers(sql).length >= MEMBERS_MAX) return refused('full');
  const key = dashboardKey(member, deps.now);
  insertKey(sql, key);
  deps.project('api_key', key.id, key);
  putHeld(deps, { ...member, keyId: key.id });
  audit(deps, { actor, action: 'member.added', target: member.userId, summary: `role ${member.role}` });
  return { ok: true, member };
}

function putHeld({ sql, project }: ChangeDeps, member: store.HeldMember): void {
  store.putMember(sql, member);
  project('member', member.userId, withoutKey(member));
}

/** It names the person in traces and lists. */
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

/** Gives a member another role. Keys of theirs above it are revoked: a lower role would otherwise change nothing. */
export function changeMember(deps: ChangeDeps, { userId, role, actor }: RoleChange): MemberAnswer {
  const { sql } = deps;
  const member = store.findMember(sql, userId);
  if (member === null) return refused('unknown');
  if (member.role === role) return { ok: true, member: withoutKey(member) };
  if (isLastAdmin(deps, member)) return refused('last_admin');
  const changed = { ...member, role };
  putHeld(deps, changed);
  const key = findKey(sql, member.keyId);
  if (key !== null) {
    putKey(sql, { ...key, role });
    deps.project('api_key', key.id, { ...key, role });
  }
  const revoked = revokeKeysOf(deps, userId, role);
  const keys = revoked === 0 ? '' : `, ${revoked} ${revoked === 1 ? 'key' : 'keys'} revoked`;
  const summary = `role ${member.role} to ${role}${keys}`;
  audit(deps, { actor, action: 'member.changed', target: userId, summary });
  return { ok: true, member: withoutKey(changed) };
}

/** Takes a membership away, and revokes every key of the person. */
export function removeMember(deps: ChangeDeps, { userId, actor }: Removal): MemberAnswer {
  const { sql } = deps;
  const member = store.findMember(sql, userId);
  if (member === null) return refused('unknown');
  if (isLastAdmin(deps, member)) return refused('last_admin');
  remove(deps, member, actor);
  return { ok: true, member: withoutKey(member) };
}

function remove(deps: ChangeDeps, { userId, role }: MemberRecord, actor: Actor): void {
  // The dashboard key among them.
  const revoked = revokeKeysOf(deps, userId, null) - 1;
  store.deleteMember(deps.sql, userId);
  deps.project('member', userId, { userId, isGone: true });
  const summary = `role ${role}, ${revoked} ${revoked === 1 ? 'key' : 'keys'} revoked`;
  audit(deps, { actor, action: 'member.removed', target: userId, summary });
}

/** Erasure of an address (normalised): its member goes, the last admin too, and its invitation. */
export function dropPerson(deps: ChangeDeps, email: string): null {
  const found = store.listMembers(deps.sql).find((member) => member.email === email);
  if (found !== undefined) remove(deps, found, 'operator');
  for (const invitation of store.listAllInvitations(deps.sql))
    if (invitation.email === email) deleteInvitation(deps, invitation.id);
  return null;
}

/** False: there is none. */
function deleteInvitation({ sql, project }: ChangeDeps, id: Id<'inv'>): boolean {
  const isDeleted = store.deleteInvitation(sql, id);
  if (isDeleted) project('invitation', id, { id, isGone: true });
  return isDeleted;
}

const isLastAdmin = ({ sql }: ChangeDeps, { role }: MemberRecord): boolean =>
  role === 'admin' && store.countAdmins(sql) === 1;

/** Invites an address. A second invitation of the same address takes the place of the first. */
export function invite(deps: ChangeDeps, invitation: InvitationRecord): InvitationAnswer {
  const { sql, now } = deps;
  const known = store.findInvitation(sql, invitation.id);
  if (known !== null) return { ok: true, invitation: withoutMail(known) };
  if (store.listMembers(sql).some(({ email }) => email === invitation.email)) return { ok: false, refusal: 'member' };
  const all = store.listAllInvitations(sql);
  const open = all.filter(({ expiresAt }) => expiresAt > now);
  for (const each of all) if (!open.includes(each)) deleteInvitation(deps, each.id);
  const earlier = open.filter(({ email }) => email === invitation.email);
  if (open.length - earlier.length >= INVITATIONS_MAX) return { ok: false, refusal: 'full' };
  if (countActions(sql, 'invitation.made', now - DAY_MS) >= INVITATIONS_MAX) return { ok: false, refusal: 'too_many' };
  for (const { id } of earlier) deleteInvitation(deps, id);
  store.putInvitation(sql, { ...invitation, mailTry: 1 });
  deps.project('invitation', invitation.id, invitation);
  const { id, role, createdBy } = invitation;
  audit(deps, { actor: createdBy, action: 'invitation.made', target: id, summary: `role ${role}` });
  return { ok: true, invitation };
}

export function withdrawInvitation(deps: ChangeDeps, { id, actor }: Withdrawal): boolean {
  const isDeleted = deleteInvitation(deps, id);
  if (isDeleted) audit(deps, { actor, action: 'invitation.withdrawn', target: id, summary: '' });
  return isDeleted;
}

/** Makes the person a member in the invitation's role. Who is one already keeps the role they have. */
export function acceptInvitation(deps: ChangeDeps, { id, person }: Acceptance): AcceptAnswer {
  const { sql, now } = deps;
  const invitation = store.findInvitation(sql, id);
  if (invitation === null || invitation.expiresAt <= now) {
    // Our own transport may send it again, and a person may press twice.
    const member = store.findMember(sql, person.userId);
    return member === null ? { ok: false, refusal: 'unknown' } : { ok: true, member: withoutKey(member) };
  }
  if (invitation.email !== person.email) return { ok: false, refusal: 'other_address' };
  const { role, createdBy } = invitation;
  const put = putMember(deps, { ...person, role, createdAt: now, createdBy }, person.userId);
  if (!put.ok) return { ok: false, refusal: 'full' };
  deleteInvitation(deps, id);
  return put;
}

/** The timer of invitations' mails. */
export async function sendInvitationMails(core: ObjectCore): Promise<() => number | null> {
  const { sql, services } = core;
  let isLeft = false;
  for (const invitation of store.listUnmailed(sql, core.now())) {
    const { id, mailTry } = invitation;
    const isOver =
      (await services.sendInvitation(core.require(), withoutMail(invitation))) || mailTry >= MAIL_TRIES_MAX;
    store.setMailTry(sql, id, isOver ? 0 : mailTry + 1);
    isLeft ||= !isOver;
  }
  return () => {
    if (isLeft) return core.now() + RETRY_MS;
    return store.listUnmailed(sql, core.now()).length > 0 ? core.now() : null;
  };
}

export const withoutKey = ({ keyId: _, ...member }: store.HeldMember): MemberRecord => member;
export const withoutMail = ({ mailTry: _, ...invitation }: store.HeldInvitation): InvitationRecord => invitation;
