import { describe, expect, it } from 'vitest';
import { EMAIL, KEY, readsEveryReply, requestOf } from './vendor.ts';

/** Bouncer returns `unknown` for what it did not check. */
const UNHEARD = { catchAll: null, mailboxFull: null };
const NOTHING = { catchAll: null, role: null, disposable: null, mailboxFull: null };

describe('bouncer', () => {
  it('is asked by GET with the key in a header and its own timeout in seconds', async () => {
    const { url, init } = await requestOf('bouncer', 3_500);
    expect(url.origin + url.pathname).toBe('https://api.usebouncer.com/v1.1/email/verify');
    expect(Object.fromEntries(url.searchParams)).toEqual({ email: EMAIL, timeout: '3' });
    expect(init.headers).toMatchObject({ 'x-api-key': KEY });
  });

  it.each([
    [900, '1'],
    [60_000, '30'],
  ])('with %d ms gives it its own timeout of %s s, 1 to 30', async (ms, seconds) => {
    expect((await requestOf('bouncer', ms)).url.searchParams.get('timeout')).toBe(seconds);
  });

  readsEveryReply(
    'bouncer',
    // Every answer counts as billed, `unknown` too: they do not publish that it is not.
    { catchAll: false, role: false, disposable: false, mailboxFull: false, suggestedDomain: null, costMicros: 4_500 },
    [
      ['accepted_email', 'deliverable', 'accepted'],
      ['accepted_email, role', 'deliverable', 'accepted', { role: true }],
      ['accepted_email, accept-all', 'deliverable', 'accepted', { catchAll: true }],
      ['low_deliverability, accept-all', 'catch_all', 'accepts_all', { catchAll: true }],
      ['low_deliverability', 'risky', 'low_quality', { catchAll: null }],
      ['low_quality, disposable', 'risky', 'disposable', { catchAll: null, disposable: true }],
      ['low_quality, role', 'deliverable', 'role', { role: true }],
      ['low_deliverability, full mailbox', 'risky', 'mailbox_full', { mailboxFull: true }],
      ['invalid_email', 'undeliverable', 'syntax', UNHEARD],
      ['invalid_domain', 'undeliverable', 'domain_not_found', UNHEARD],
      ['rejected_email', 'undeliverable', 'mailbox_not_found'],
      ['rejected_email, disabled', 'undeliverable', 'mailbox_disabled'],
      ['dns_error, undeliverable', 'undeliverable', 'dns_failed', UNHEARD],
      ['dns_error', 'unknown', 'dns_failed', UNHEARD],
      ['unavailable_smtp', 'unknown', 'server_error', UNHEARD],
      ['unsupported', 'unknown', 'unsupported', UNHEARD],
      ['timeout', 'unknown', 'timeout', UNHEARD],
      ['unknown', 'unknown', null, UNHEARD],
      // Only greylisting has a retry time.
      ['greylisted', 'unknown', 'greylisted', UNHEARD],
      ['timeout, no time to ask again', 'unknown', 'timeout', UNHEARD],
      ['accepted_email after greylisting', 'deliverable', 'accepted'],
      ['a status of tomorrow', 'unknown', null, { catchAll: null }],
      ['a reason of tomorrow', 'undeliverable', null],
      ['only the required field', 'deliverable', null, NOTHING],
      ['fields of other types', 'deliverable', null, NOTHING],
    ],
    [
      ['status of another type', 'malformed', false, true],
      ['status missing', 'malformed', false, true],
      ['bad request', 'refused', false, false],
      ['bad key', 'unauthorized', false, false],
      ['no credit', 'no_credit', false, false],
      ['forbidden', 'unauthorized', false, false],
      ['not found', 'unreachable', true, false],
      ['rate limit', 'rate_limited', true, false],
      ['unavailable', 'server_error', true, true],
    ],
  );
});
