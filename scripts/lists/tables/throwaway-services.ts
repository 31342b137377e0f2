import type { NamedRow } from './row.ts';

/** Throwaway inboxes the packages miss; each row counts as a curated source of its own. */
export const THROWAWAY_SERVICES: readonly NamedRow[] = [
  {
    who: 'Inboxes.com',
    names: 'inboxes.com',
    reason: 'Public throwaway inboxes, formerly getnada.com; the site offers this domain',
  },
  {
    who: 'MailSlurp',
    names: 'mailslurp.net mailslurp.biz mailslurp.xyz mailslurp.info',
    reason: 'Test inboxes made by the thousand through an API; mailslurp.com is listed already',
  },
  {
    who: 'GotMail',
    names: 'gotmail.com',
    reason:
      'One service with gotmail.net and gotmail.org, reviewed under all three, so gotmail.com is not a slip for hotmail.com',
  },
  { who: 'Mailosaur', names: 'mailosaur.io', reason: 'Test inboxes; mailosaur.net is listed already' },
];
