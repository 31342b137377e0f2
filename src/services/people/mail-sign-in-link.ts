import type { Fetch } from '../../integrations/exchange.ts';
import { type MailSettings, sendMail } from '../../integrations/mail.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';

export interface SignInMailDeps {
  readonly fetch: Fetch;
  readonly mail: MailSettings;
}

/** Mails a link for signing in, to a person who asked for one with this address. False: it was not sent. Never rejects. */
export async function mailSignInLink({ fetch, mail }: SignInMailDeps, email: string, url: string): Promise<boolean> {
  if (mail.backend === 'none') return false;
  const text = [
    'Somebody asked to sign in with this address. To do so, open this link and press the button there:',
    '',
    url,
    '',
    'It works once, within 10 minutes. If it was not you, nothing has happened: you may ignore this mail.',
    '',
  ].join('\n');
  // The link is new each time, and stands in no other place in readable form.
  return sendMail(mail, fetch, { to: email, subject: 'Your sign-in link', text }, `sign-in-${sha256Hex(url)}`);
}
