import { describe, expect, it } from 'vitest';
import { EMAIL, KEY, readsEveryReply, requestOf } from './vendor.ts';

/** No `smtp_connectable` flag: the server was not spoken to. */
const UNHEARD = { catchAll: null };
const NOTHING = { catchAll: null, role: null, disposable: null };

describe('neverbounce', () => {
  it('is asked by POST with key and address in the body, out of every URL', async () => {
    const { url, init, json } = await requestOf('neverbounce', 5_000);
    expect(url.href).toBe('https://api.neverbounce.com/v4.2/single/check');
    expect(init).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(json).toEqual({ key: KEY, email: EMAIL, timeout: 4 });
  });

  it.each([
    [400, 1],
    [120_000, 30],
  ])('with %d ms gives it its own timeout of %d s, 1 to 30', async (ms, timeout) => {
    expect((await requestOf('neverbounce', ms)).json).toMatchObject({ timeout });
  });

  readsEveryReply(
    'neverbounce',
    // A flag that is absent is a no; every call is a credit, `unknown` and bad syntax too.
    { catchAll: false, role: false, disposable: false, mailboxFull: null, suggestedDomain: null, costMicros: 5_000 },
    [
      ['valid', 'deliverable', 'accepted'],
      ['valid, role', 'deliverable', 'accepted', { role: true }],
      ['valid, every harmless flag', 'deliverable', 'accepted'],
      ['valid, spam trap network', 'risky', 'spam_trap', { warning: 'spam_trap' }],
      ['invalid', 'undeliverable', 'mailbox_not_found'],
      ['invalid, bad syntax', 'undeliverable', 'syntax', UNHEARD],
      ['invalid, bad DNS', 'undeliverable', 'domain_not_found', UNHEARD],
      ['invalid, no connection', 'undeliverable', 'connection_failed', UNHEARD],
      ['invalid, misspelt', 'undeliverable', 'typo', { ...UNHEARD, suggestedDomain: 'example.org' }],
      ['disposable', 'risky', 'disposable', { ...UNHEARD, disposable: true }],
      ['catchall', 'catch_all', 'accepts_all', { catchAll: true }],
      ['catchall, spam trap network', 'catch_all', 'accepts_all', { catchAll: true, warning: 'spam_trap' }],
      ['invalid, spam trap network', 'undeliverable', 'mailbox_not_found', { warning: 'spam_trap' }],
      ['catchall, role', 'catch_all', 'accepts_all', { catchAll: true, role: true }],
      ['unknown', 'unknown', null, UNHEARD],
      ['unknown, no connection', 'unknown', 'connection_failed', UNHEARD],
      ['unknown, DNS trouble', 'unknown', 'dns_failed', UNHEARD],
      ['a result of tomorrow', 'unknown', null, UNHEARD],
      ['only the required fields', 'deliverable', 'accepted', NOTHING],
      ['fields of other types', 'deliverable', 'accepted', NOTHING],
    ],
    [
      ['result of another type', 'malformed', false, true],
      ['result missing', 'malformed', false, true],
      ['status missing', 'malformed', false, true],
      ['bad key', 'unauthorized', false, false],
      ['untrusted referrer', 'unauthorized', false, false],
      ['unavailable', 'server_error', true, true],
      ['rate limit', 'rate_limited', true, false],
      ['missing parameter', 'refused', false, false],
      ['no credit', 'no_credit', false, false],
      ['a failure of tomorrow', 'refused', false, false],
      ['bad request', 'refused', false, false],
      ['too large', 'refused', false, false],
      ['server error', 'server_error', true, true],
    ],
  );
});
