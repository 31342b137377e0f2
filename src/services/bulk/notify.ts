import type { JobRecord } from '../../domain/bulk/job-record.ts';
import { doneMail } from '../../domain/bulk/present.ts';
import type { Fetch } from '../../integrations/exchange.ts';
import { deliverMail, type MailSettings } from '../../integrations/mail.ts';
import { describeError, log } from '../../kernel/log.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { findUserEmail } from '../../storage/postgres/organisations.ts';

export interface NotifyDeps {
  readonly db: Database;
  readonly fetch: Fetch;
  readonly mail: MailSettings;
  readonly publicUrl: string | null;
}

/** Mails the user whose key created a job that it is done. False: try again later. Never rejects. */
export async function notifyDone(deps: NotifyDeps, { job, owner, organisation }: JobRecord): Promise<boolean> {
  if (owner.userId === null) return true;
  try {
    const to = await findUserEmail(deps.db, organisation.id, owner.userId);
    // The user was deleted.
    if (to === null) return true;
    const message = doneMail(job, deps.publicUrl);
    return await deliverMail(deps.mail, deps.fetch, { to, ...message }, job.id);
  } catch (error) {
    log('warn', 'mail_failed', { job: job.id, ...describeError(error) });
    return false;
  }
}
