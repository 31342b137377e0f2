import { describe, expect, it } from 'vitest';
import { EMAIL, KEY, readsEveryReply, requestOf } from './vendor.ts';

const BILLED = 12_900;
const FREE = { costMicros: 0 };
/** The server did not answer: their `catchall_domain: false` says nothing of the domain. */
const UNHEARD = { catchAll: null };
const ALL = { catchAll: true };
const ROLE = { role: true };

describe('zerobounce', () => {
  it('is asked by GET with key, address and the empty IP address in the query', async () => {
    const { url, init } = await requestOf('zerobounce', 9_000);
    expect(url.origin + url.pathname).toBe('https://api.zerobounce.net/v2/validate');
    expect(Object.fromEntries(url.searchParams)).toEqual({ api_key: KEY, email: EMAIL, ip_address: '', timeout: '8' });
    expect(init.method ?? 'GET').toBe('GET');
  });

  it.each([
    [500, '3'],
    [3_500, '3'],
    [90_000, '60'],
  ])('with %d ms gives it its own timeout of %s s, 3 to 60', async (ms, seconds) => {
    expect((await requestOf('zerobounce', ms)).url.searchParams.get('timeout')).toBe(seconds);
  });

  readsEveryReply(
    'zerobounce',
    { catchAll: false, role: null, disposable: null, mailboxFull: null, suggestedDomain: null, costMicros: BILLED },
    [
      ['valid', 'deliverable', 'accepted'],
      ['valid/alias_address', 'deliverable', 'accepted'],
      ['valid/leading_period_removed', 'deliverable', 'accepted'],
      ['valid/alternate', 'deliverable', 'accepted'],
      ['valid/gold', 'deliverable', 'accepted'],
      ['valid/ai_agent_mailbox', 'deliverable', 'accepted'],
      // Mailboxes of a catch-all domain that ZeroBounce vouches for.
      ['valid/accept_all', 'deliverable', 'accepted', ALL],
      ['valid/role_based_accept_all', 'deliverable', 'role', { ...ALL, ...ROLE }],
      // The ZeroBounce account's own lists: paid for, and nothing learnt.
      ['valid/allowed', 'unknown', null, UNHEARD],
      ['do_not_mail/blocked', 'unknown', null, UNHEARD],
      ['invalid/mailbox_not_found', 'undeliverable', 'mailbox_not_found'],
      ['invalid/failed_syntax_check', 'undeliverable', 'syntax', UNHEARD],
      ['invalid/possible_typo', 'undeliverable', 'typo', { ...UNHEARD, suggestedDomain: 'example.org' }],
      ['invalid/no_dns_entries', 'undeliverable', 'domain_not_found', UNHEARD],
      ['invalid/unroutable_ip_address', 'undeliverable', 'no_mail_host', UNHEARD],
      ['invalid/does_not_accept_mail', 'undeliverable', 'no_mail_host', UNHEARD],
      // "invalid" to them; it may take mail again tomorrow.
      ['invalid/mailbox_quota_exceeded', 'risky', 'mailbox_full', { mailboxFull: true }],
      ['catch-all', 'catch_all', 'accepts_all', ALL],
      ['catch-all/accept_all', 'catch_all', 'accepts_all', ALL],
      ['catch-all/ai_agent_mailbox', 'catch_all', 'accepts_all', ALL],
      ['spamtrap', 'risky', 'spam_trap', { warning: 'spam_trap' }],
      ['abuse', 'risky', 'complainer', { warning: 'complainer' }],
      // A working mailbox that they would not mail.
      ['do_not_mail/role_based', 'deliverable', 'role', ROLE],
      ['do_not_mail/role_based_catch_all', 'catch_all', 'accepts_all', { ...ALL, ...ROLE }],
      ['do_not_mail/disposable', 'risky', 'disposable', { ...UNHEARD, disposable: true }],
      ['do_not_mail/mx_forward', 'risky', 'low_quality', { warning: 'do_not_mail' }],
      ['do_not_mail/global_suppression', 'risky', 'complainer', { warning: 'suppressed' }],
      ['do_not_mail/possible_trap', 'risky', 'spam_trap', { warning: 'spam_trap' }],
      ['do_not_mail/toxic', 'risky', 'complainer', { warning: 'toxic' }],
      ['unknown', 'unknown', null, { ...UNHEARD, ...FREE }],
      ['unknown/antispam_system', 'unknown', 'blocked', { ...UNHEARD, ...FREE }],
      ['unknown/exception_occurred', 'unknown', 'server_error', { ...UNHEARD, ...FREE }],
      ['unknown/failed_smtp_connection', 'unknown', 'connection_failed', { ...UNHEARD, ...FREE }],
      ['unknown/forcible_disconnect', 'unknown', 'connection_failed', { ...UNHEARD, ...FREE }],
      ['unknown/greylisted', 'unknown', 'greylisted', { ...UNHEARD, ...FREE }],
      ['unknown/mail_server_did_not_respond', 'unknown', 'timeout', { ...UNHEARD, ...FREE }],
      ['unknown/mail_server_temporary_error', 'unknown', 'server_error', { ...UNHEARD, ...FREE }],
      ['unknown/timeout_exceeded', 'unknown', 'timeout', { ...UNHEARD, ...FREE }],
      ['a sub-status of tomorrow', 'risky', 'low_quality', { warning: 'do_not_mail' }],
      // Not reported as `unknown`, so it is billed.
      ['a status of tomorrow', 'unknown', null, UNHEARD],
      ['only the required field', 'deliverable', 'accepted', UNHEARD],
      ['fields of other types', 'deliverable', 'accepted', UNHEARD],
    ],
    [
      ['status of another type', 'malformed', false, true],
      ['status missing', 'malformed', false, true],
      ['bad key or no credit', 'no_credit', false, false],
      ['bad key', 'unauthorized', false, false],
      ['another error', 'refused', false, false],
      ['bad request', 'refused', false, false],
      // Their protection has engaged; the key is good.
      ['API Shield', 'rate_limited', true, false],
      ['rate limit', 'rate_limited', true, false],
      ['server error', 'server_error', true, true],
      ['origin error at their gateway', 'server_error', true, true],
      ['timeout at their gateway', 'server_error', true, true],
    ],
  );
});
