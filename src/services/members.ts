import { ROUTES } from '../contract/routes.ts';
import { actorOf, authorOf } from '../domain/access/keys.ts';
import {
  INVITATION_LIFETIME_MS,
  type InvitationRecord,
  INVITATIONS_MAX,
  type MemberRecord,
  MEMBERS_MAX,
} from '../domain/access/member-records.ts';
import { epochSeconds, HOUR_MS, SECOND_MS } from '../kernel/clock.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, newId, parseId } from '../kernel/ids.ts';
import { askObject, type InvitationRefusal, type MemberAnswer, type MemberRefusal } from '../organisation/api.ts';
import type { Authorized } from './authorization.ts';
import { NEEDS_PERSON } from './caller.ts';
import { requireAddress } from './request-values.ts';
import { verb } from './verb.ts';

/** People, for an account's admins. The organisation's object has them, and nothing here waits for Postgres. */
export const listMembers = verb({
  route: ROUTES.members,
  run: async ({ deps, organisationId }) => ({
    members: (await askObject(deps.objects, organisationId).listMembers()).map(memberBody),
  }),
});

export const changeMember = verb({
  route: ROUTES.changeMember,
  run: async ({ deps, organisationId, authorized }, { params, body: { role } }) => {
    const call = { userId: requireUserId(params.id), role, ...changerOf(authorized) };
    return { member: memberBody(memberOf(await askObject(deps.objects, organisationId).changeMember(call))) };
  },
});

export const removeMember = verb({
  route: ROUTES.removeMember,
  run: async ({ deps, organisationId, authorized }, { params }) => {
    const call = { userId: requireUserId(params.id), ...changerOf(authorized) };
    memberOf(await askObject(deps.objects, organisationId).removeMember(call));
    return { done: true as const };
  },
});

/** A member of any role may leave. */
export const leaveOrganisation = verb({
  route: ROUTES.leaveOrganisation,
  run: async ({ deps, organisationId, authorized }) => {
    const { userId } = authorized.key;
    if (userId === null)
      throw new DomainError(
        'conflict',
        'This key belongs to the organisation, not to a person, so it has no membership to end.',
      );
    memberOf(await askObject(deps.objects, organisationId).removeMember({ userId, ...changerOf(authorized) }));
    return { done: true as const };
  },
});

/** The author of a change of people. */
const changerOf = ({ key, isFresh }: Authorized) => ({ ...authorOf(key), isFresh });

/** Refuses a new admin who would end what older ones have. */
export const NEW_ADMIN = new DomainError(
  'forbidden',
  'For your first 24 hours as an admin you can’t remove older admins.',
);

const NO_MEMBER = new DomainError('not_found', 'The organisation has no member with this id.');

function requireUserId(text: string): Id<'u'> {
  const id = parseId('u', text);
  if (id === null) throw NO_MEMBER;
  return id;
}

const MEMBER_REFUSALS: Record<MemberRefusal, DomainError> = {
  unknown: NO_MEMBER,
  not_fresh: new DomainError('forbidden', NEEDS_PERSON),
  new_admin: NEW_ADMIN,
  last_admin: new DomainError('conflict', 'This is the last admin: make another member an admin first.'),
  full: new DomainError('invalid_request', `An account has up to ${MEMBERS_MAX} members.`),
};

function memberOf(answer: MemberAnswer): MemberRecord {
  if (!answer.ok) throw MEMBER_REFUSALS[answer.refusal];
  return answer.member;
}

const memberBody = ({ userId, email, name, role, createdAt, createdBy }: MemberRecord) => ({
  id: userId,
  email,
  name,
  role,
  created_at: epochSeconds(createdAt),
  created_by: createdBy,
});

export const listInvitations = verb({
  route: ROUTES.invitations,
  run: async ({ deps, organisationId }) => ({
    invitations: (await askObject(deps.objects, organisationId).listInvitations()).map(invitationBody),
  }),
});

export const createInvitation = verb({
  route: ROUTES.createInvitation,
  parse: ({ body: { email, role } }) => ({ email: requireAddress(email).normalised, role }),
  run: async ({ deps, organisationId, startedAt, authorized }, { email, role }) => {
    const invitation: InvitationRecord = {
      id: newId('inv', startedAt),
      email,
      role,
      createdAt: startedAt,
      expiresAt: startedAt + INVITATION_LIFETIME_MS,
      createdBy: actorOf(authorized.key),
    };
    const answer = await askObject(deps.objects, organisationId).invite({ invitation, ...changerOf(authorized) });
    if (!answer.ok) throw INVITATION_REFUSALS[answer.refusal];
    return { invitation: invitationBody(answer.invitation) };
  },
});

export const withdrawInvitation = verb({
  route: ROUTES.withdrawInvitation,
  run: async ({ deps, organisationId, authorized }, { params }) => {
    const id = parseId('inv', params.id);
    const call = id !== null && { id, ...authorOf(authorized.key) };
    const isWithdrawn = call !== false && (await askObject(deps.objects, organisationId).withdrawInvitation(call));
    if (!isWithdrawn) throw new DomainError('not_found', 'This invitation does not exist.');
    return { done: true as const };
  },
});

const INVITATION_REFUSALS: Record<InvitationRefusal, DomainError> = {
  not_fresh: new DomainError('forbidden', NEEDS_PERSON),
  member: new DomainError('conflict', 'This address already belongs to a member.'),
  full: new DomainError('invalid_request', `An account has up to ${INVITATIONS_MAX} open invitations.`),
  too_many: new DomainError('rate_limited', `An account makes up to ${INVITATIONS_MAX} invitations a day.`, {
    retryAfterS: HOUR_MS / SECOND_MS,
  }),
};

const invitationBody = ({ id, email, role, createdAt, createdBy, expiresAt }: InvitationRecord) => ({
  id,
  email,
  role,
  created_at: epochSeconds(createdAt),
  created_by: createdBy,
  expires_at: epochSeconds(expiresAt),
});
