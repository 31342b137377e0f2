import { describe, expect, it } from 'vitest';
import { EMAIL, KEY, NEVER, REACHER, readsEveryReply, requestOf, responseOf, vendor } from './vendor.ts';

const UNHEARD = { catchAll: null };
/** A failed SMTP block comes without flags. */
const FAILED = { catchAll: null, mailboxFull: null };
const NOTHING = { catchAll: null, role: null, disposable: null, mailboxFull: null };

describe('reacher', () => {
  it('is asked by POST at its v1 path with the secret in a header', async () => {
    const { url, init, json } = await requestOf('reacher', 3_500);
    expect(url.href).toBe(`${REACHER}/v1/check_email`);
    expect(init).toMatchObject({ method: 'POST', headers: { 'x-reacher-secret': KEY } });
    expect(json).toEqual({ to_email: EMAIL });
  });

  it('is asked without the header when its secret is not set', async () => {
    const { provider, requests } = vendor('reacher', () => responseOf({ status: 500, body: '' }), { apiKey: null });
    await provider.ask(EMAIL, 1_000, NEVER);
    expect(requests[0]?.init.headers).not.toHaveProperty('x-reacher-secret');
  });

  readsEveryReply(
    'reacher',
    { catchAll: false, role: false, disposable: false, mailboxFull: false, suggestedDomain: null, costMicros: 0 },
    [
      ['safe', 'deliverable', 'accepted'],
      ['invalid', 'undeliverable', 'mailbox_not_found'],
      ['invalid, disabled', 'undeliverable', 'mailbox_disabled'],
      ['invalid, no connection', 'undeliverable', 'connection_failed', UNHEARD],
      ['invalid, syntax', 'undeliverable', 'syntax', UNHEARD],
      ['invalid, no mail host', 'undeliverable', 'no_mail_host', { ...UNHEARD, suggestedDomain: 'gmail.com' }],
      ['risky, catch-all', 'catch_all', 'accepts_all', { catchAll: true }],
      ['risky, catch-all and role', 'catch_all', 'accepts_all', { catchAll: true, role: true }],
      ['risky, catch-all that refused', 'catch_all', 'accepts_all', { catchAll: true }],
      ['risky, role', 'deliverable', 'role', { role: true }],
      // Reacher classes these names as risky whatever the server answered.
      ['risky, role but refused', 'undeliverable', 'mailbox_not_found', { role: true }],
      ['risky, disposable but disabled', 'undeliverable', 'mailbox_disabled', { disposable: true }],
      ['risky, disposable', 'risky', 'disposable', { ...UNHEARD, disposable: true }],
      ['risky, full mailbox', 'risky', 'mailbox_full', { mailboxFull: true }],
      ['unknown, timeout', 'unknown', 'timeout', FAILED],
      ['unknown, I/O', 'unknown', 'connection_failed', FAILED],
      ['unknown, proxy', 'unknown', 'connection_failed', FAILED],
      ['unknown, SMTP', 'unknown', 'server_error', FAILED],
      ['unknown, listed', 'unknown', 'blocked', FAILED],
      ['unknown, no reverse DNS', 'unknown', 'blocked', FAILED],
      ['unknown, YahooError', 'unknown', 'server_error', FAILED],
      ['unknown, GmailError', 'unknown', 'server_error', FAILED],
      ['unknown, HeadlessError', 'unknown', 'server_error', FAILED],
      ['unknown, Microsoft365Error', 'unknown', 'server_error', FAILED],
      ['unknown, AnyhowError', 'unknown', 'server_error', FAILED],
      ['unknown, DNS trouble', 'unknown', 'dns_failed', UNHEARD],
      ['a word of tomorrow', 'unknown', null, UNHEARD],
      ['only the required field', 'deliverable', 'accepted', NOTHING],
      ['fields of other types', 'deliverable', 'accepted', NOTHING],
    ],
    [
      ['is_reachable of another type', 'malformed', false, true],
      ['is_reachable missing', 'malformed', false, true],
      ['missing parameter', 'refused', false, false],
      ['wrong secret', 'unauthorized', false, false],
      ['no secret', 'unauthorized', false, false],
      ['rate limit', 'rate_limited', true, false],
      ['server error', 'server_error', true, true],
    ],
  );
});
