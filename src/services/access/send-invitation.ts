import { invitationMail } from '../../domain/access/mail.ts';
import type { InvitationRecord } from '../../domain/access/member-records.ts';
import type { Fetch } from '../../integrations/exchange.ts';
import { deliverMail, type MailSettings } from '../../integrations/mail.ts';

export interface InvitationMailDeps {
  readonly fetch: Fetch;
  readonly mail: MailSettings;
  readonly dashboardUrl: string | null;
}

/** False: try again later. Never rejects. */
export const sendInvitation = (
  { fetch, mail, dashboardUrl }: InvitationMailDeps,
  organisationName: string,
  invitation: InvitationRecord,
): Promise<boolean> => {
  const message = invitationMail(invitation, organisationName, dashboardUrl);
  return deliverMail(mail, fetch, { to: invitation.email, ...message }, invitation.id);
};
