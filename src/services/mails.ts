import {
  type AdminNotice,
  adminMail,
  type InvitationRecord,
  type MemberRecord,
  invitationMail,
} from '../domain/access/member-records.ts';
import { type Alert, type OrganisationSettings, alertMail } from '../domain/metering/organisation-settings.ts';
import type { Usage } from '../domain/metering/usage.ts';
import type { Fetch } from '../integrations/exchange.ts';
import { deliverMail, type MailSettings, sendMail } from '../integrations/mail.ts';
import { sha256Hex } from '../kernel/crypto.ts';

export interface MailDeps {
  readonly fetch: Fetch;
  readonly mail: MailSettings;
}

/** False: try again later. Never rejects. */
export const sendInvitation = (
  { fetch, mail, dashboardUrl }: MailDeps & { readonly dashboardUrl: string | null },
  organisationName: string,
  invitation: InvitationRecord,
): Promise<boolean> => {
  const message = invitationMail(invitation, organisationName, dashboardUrl);
  return deliverMail(mail, fetch, { to: invitation.email, ...message }, invitation.id);
};

/** False: try again later. Never rejects. */
export const sendAdminNotice = (
  { fetch, mail }: MailDeps,
  organisationName: string,
  notice: AdminNotice,
): Promise<boolean> => deliverMail(mail, fetch, { to: notice.to, ...adminMail(notice, organisationName) }, notice.id);

/** Mails an alert to one admin, once however often it is tried. False: try again later. Never rejects. */
export const sendAlert = (
  { fetch, mail }: MailDeps,
  { id, name, limits }: OrganisationSettings,
  alert: Alert,
  usage: Usage,
  { userId, email }: MemberRecord,
): Promise<boolean> => {
  const message = alertMail(alert, usage, limits, name);
  return deliverMail(
    mail,
    fetch,
    { to: email, ...message },
    [id, alert.month, alert.of, alert.share, userId].join(' '),
  );
};

/** Mails a sign-in link to a person who asked for one with this address. False: not sent. Never rejects. */
export async function mailSignInLink({ fetch, mail }: MailDeps, email: string, url: string): Promise<boolean> {
  if (mail.backend === 'none') return false;
  const text = [
    'Somebody asked to sign in with this address. To do so, open this link and press the button there:',
    '',
    url,
    '',
    'It works once, within 10 minutes. If it was not you, nothing has happened: you may ignore this mail.',
    '',
  ].join('\n');
  // Each link is new, and readable nowhere else.
  return sendMail(mail, fetch, { to: email, subject: 'Your sign-in link', text }, `sign-in-${sha256Hex(url)}`);
}
