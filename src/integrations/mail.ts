import { maskAddress, parseAddress } from '../domain/address/parse.ts';
import { log } from '../kernel/log.ts';
import { exchange, type Fetch } from './exchange.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type MailSettings =
  | { readonly backend: 'none' }
  | { readonly backend: 'resend'; readonly apiKey: string; readonly baseUrl: string; readonly from: string };

const TIMEOUT_MS = 10_000;

/** Sends a mail through the configured back end; without one, logs it with the recipient masked. */
export async function deliverMail(settings: MailSettings, fetch: Fetch, mail: Mail, key: string): Promise<boolean> {
  if (settings.backend === 'resend') return sendMail(settings, fetch, mail, key);
  const { to, ...message } = mail;
  const parsed = parseAddress(to);
  log('info', 'mail', { to: parsed.ok ? maskAddress(parsed.address) : '•••', ...message });
  return true;
}

/**
 * Sends a mail through Resend (`POST /emails`), once for each `Idempotency-Key`. False: try again. A mail that Resend
 * refuses for its content is logged and counts as sent. Never rejects.
 */
export async function sendMail(
  settings: Extract<MailSettings, { backend: 'resend' }>,
  fetch: Fetch,
  { to, subject, text }: Mail,
  idempotencyKey: string,
): Promise<boolean> {
  const answer = await exchange(
    fetch,
    {
      url: `${settings.baseUrl}/emails`,
      headers: { authorization: `Bearer ${settings.apiKey}`, 'idempotency-key': idempotencyKey },
      body: { from: settings.from, to: [to], subject, text },
    },
    () => false,
    TIMEOUT_MS,
  );
  if (!answer.ok) return false;
  if (answer.status >= 200 && answer.status < 300) return true;
  const isTransient = answer.status === 429 || answer.status === 409 || answer.status >= 500;
  if (!isTransient) log('error', 'mail_refused', { status: answer.status });
  return !isTransient;
}
