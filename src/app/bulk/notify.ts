import { maskAddress, parseAddress } from '../../domain/address/index.ts';
import { doneMail } from '../../domain/bulk/mail.ts';
import type { JobRecord } from '../../domain/bulk/port.ts';
import { findUserEmail } from '../../domain/organisation/store.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Fetch } from '../../platform/http.ts';
import { describeError, log } from '../../platform/log.ts';
import { type MailSettings, sendMail } from '../../platform/mail.ts';

export interface NotifyDeps {
  readonly db: Database;
  readonly fetch: Fetch;
  readonly mail: MailSettings;
  readonly publicUrl: string | null;
}

/** Tells the user of the key that created a job that it is done. False: to be tried again. Never rejects. */
export async function notifyDone(deps: NotifyDeps, { job, owner, organisation }: JobRecord): Promise<boolean> {
  if (owner.userId === null) return true;
  try {
    const to = await findUserEmail(deps.db, organisation.id, owner.userId);
    // The user is gone, and with them whom it would be for.
    if (to === null) return true;
    const message = doneMail(job, deps.publicUrl);
    if (deps.mail.backend === 'resend') return await sendMail(deps.mail, deps.fetch, { to, ...message }, job.id);
    const parsed = parseAddress(to);
    log('info', 'mail', { to: parsed.ok ? maskAddress(parsed.address) : '•••', ...message });
    return true;
  } catch (error) {
    log('warn', 'mail_failed', { job: job.id, ...describeError(error) });
    return false;
  }
}
