import type { InvitationRecord } from './member-records.ts';

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
