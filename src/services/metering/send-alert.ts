import type { MemberRecord } from '../../domain/access/member-records.ts';
import { type Alert, alertMail } from '../../domain/metering/alerts.ts';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import type { Usage } from '../../domain/metering/usage.ts';
import type { Fetch } from '../../integrations/exchange.ts';
import { deliverMail, type MailSettings } from '../../integrations/mail.ts';

/** Mails an alert to one admin, once however often it is tried. False: try again later. Never rejects. */
export const sendAlert = (
  { fetch, mail }: { readonly fetch: Fetch; readonly mail: MailSettings },
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
