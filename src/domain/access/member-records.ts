import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Actor, Role } from './keys.ts';

/** A person's membership of an organisation. Times in epoch milliseconds. */
export interface MemberRecord {
  readonly userId: Id<'u'>;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly createdAt: number;
  readonly createdBy: Actor;
}

export interface InvitationRecord {
  readonly id: Id<'inv'>;
  /** Normalised. Only a sign-in with this address may accept. */
  readonly email: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly createdBy: Actor;
}

/** A mail to an admin about another one who joins or leaves. */
export interface AdminNotice {
  readonly id: Id<'an'>;
  readonly change: 'added' | 'removed';
  /** Normalised addresses: the subject and the recipient. */
  readonly about: string;
  readonly to: string;
}

/** A member or invitation, or its absence, on the way to Postgres. */
type Projected<T, Key extends keyof T> = (T | (Pick<T, Key> & { readonly isGone: true })) & {
  readonly organisationId: Id<'org'>;
};
export type ProjectedMember = Projected<MemberRecord, 'userId'>;
export type ProjectedInvitation = Projected<InvitationRecord, 'id'>;

/** All people of an organisation in the Postgres directory. */
export interface People {
  readonly members: readonly MemberRecord[];
  readonly invitations: readonly InvitationRecord[];
}

/** The person of a dashboard call, by its session. The object decides membership and role. */
export interface PersonClaims {
  readonly organisationId: Id<'org'>;
  readonly userId: Id<'u'>;
  readonly signedInAt: number;
  /** The session passed a second factor: a passkey, or a code of an authenticator app. */
  readonly hasSecondFactor: boolean;
}

/** How long after sign-in a session counts as fresh. */
export const FRESH_MS = 10 * MINUTE_MS;

/** How long a new admin can't remove earlier ones. */
export const NEW_ADMIN_MS = DAY_MS;

export const INVITATION_LIFETIME_MS = 7 * DAY_MS;
export const MEMBERS_MAX = 1_000;
/** Open invitations, and invitations a day: each mails somebody who did not ask. */
export const INVITATIONS_MAX = 100;

/** The invitation's mail. It contains no secret: whoever signs in with the address may accept. */
export function invitationMail(
  { id, role, expiresAt }: InvitationRecord,
  organisationName: string,
  dashboardUrl: string | null,
): { readonly subject: string; readonly text: string } {
  // A header is one line.
  const name = organisationName.replace(/\s+/g, ' ');
  return {
    subject: `Invitation to ${name}`,
    text: [
      `You are invited to join "${name}" as ${role === 'admin' ? 'an admin' : `a ${role}`}.`,
      '',
      dashboardUrl === null
        ? 'Sign in to the dashboard with this e-mail address to accept.'
        : 'Sign in with this e-mail address to accept:',
      ...(dashboardUrl === null ? [] : [`${dashboardUrl}/invitations/${id}`]),
      '',
      `The invitation is good until ${new Date(expiresAt).toISOString().slice(0, 10)}. If you did not expect it, ignore this mail.`,
      '',
    ].join('\n'),
  };
}

/** The mail to an admin about another one who joins or leaves. */
export function adminMail(
  { change, about }: AdminNotice,
  organisationName: string,
): { readonly subject: string; readonly text: string } {
  // A header is one line.
  const name = organisationName.replace(/\s+/g, ' ');
  return {
    subject: change === 'added' ? `A new admin of ${name}` : `An admin of ${name} was removed`,
    text: [
      change === 'added'
        ? `${about} is an admin of "${name}" from now on.`
        : `${about} is no longer an admin of "${name}".`,
      '',
      'If you did not expect this, look at the members and the audit log in the dashboard. A new admin can’t remove older ones for 24 hours.',
      '',
    ].join('\n'),
  };
}
