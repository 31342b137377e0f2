import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Actor, Role } from './keys.ts';

/** A person's membership of one organisation. Times in epoch milliseconds. */
export interface MemberRecord {
  readonly userId: Id<'u'>;
  /** Normalised. */
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly createdAt: number;
  readonly createdBy: Actor;
}

/** An invitation that is not yet accepted. */
export interface InvitationRecord {
  readonly id: Id<'inv'>;
  /** Normalised. Only who signs in with it may accept. */
  readonly email: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly createdBy: Actor;
}

/** A mail to an admin: another one has come or goes. */
export interface AdminNotice {
  readonly id: Id<'an'>;
  readonly change: 'added' | 'removed';
  /** Addresses, normalised: whom it is about, and who gets it. */
  readonly about: string;
  readonly to: string;
}

/** A member or an invitation on its way to Postgres, or that there is none any more. */
type Projected<T, Key extends keyof T> = (T | (Pick<T, Key> & { readonly isGone: true })) & {
  readonly organisationId: Id<'org'>;
};
export type ProjectedMember = Projected<MemberRecord, 'userId'>;
export type ProjectedInvitation = Projected<InvitationRecord, 'id'>;

/** All of an organisation's people, as the directory in Postgres has them. */
export interface People {
  readonly members: readonly MemberRecord[];
  readonly invitations: readonly InvitationRecord[];
}

/** Who asks at the dashboard's entrypoint, which vouches for the session. Membership and role are the object's to say. */
export interface PersonClaims {
  readonly organisationId: Id<'org'>;
  readonly userId: Id<'u'>;
  /** When the session's person signed in, epoch milliseconds. */
  readonly signedInAt: number;
  /** They proved a second factor in that session: a passkey, or a code of an authenticator app. */
  readonly hasSecondFactor: boolean;
}

/** A session counts as fresh for this long after the person signed in. */
export const FRESH_MS = 10 * MINUTE_MS;

/** For this long a new admin can't remove those who were admins before. */
export const NEW_ADMIN_MS = DAY_MS;

export const INVITATION_LIFETIME_MS = 7 * DAY_MS;
export const MEMBERS_MAX = 1_000;
/** Invitations open at once, and made a day: each is a mail to somebody who did not ask for it. */
export const INVITATIONS_MAX = 100;

/** The mail to somebody who is invited. It holds no secret: who signs in with the address may accept. */
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

/** The mail to an admin where another one has come or goes. */
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
