import { describe, expect, it } from 'vitest';
import { EMAIL, KEY, readsEveryReply, requestOf } from './vendor.ts';

const UNHEARD = { catchAll: null };
const FREE = { catchAll: null, costMicros: 0 };
const NOTHING = { catchAll: null, role: null, disposable: null, mailboxFull: null };

describe('emailable', () => {
  it('is asked by GET with the key in a header, the catch-all probe on and its own timeout in seconds', async () => {
    const { url, init } = await requestOf('emailable', 3_500);
    expect(url.origin + url.pathname).toBe('https://api.emailable.com/v1/verify');
    expect(Object.fromEntries(url.searchParams)).toEqual({ email: EMAIL, accept_all: 'true', timeout: '3' });
    expect(init.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
  });

  it.each([
    [900, '2'],
    [60_000, '10'],
  ])('with %d ms gives it its own timeout of %s s, 2 to 10', async (ms, seconds) => {
    expect((await requestOf('emailable', ms)).url.searchParams.get('timeout')).toBe(seconds);
  });

  readsEveryReply(
    'emailable',
    { catchAll: false, role: false, disposable: false, mailboxFull: false, suggestedDomain: null, costMicros: 6_000 },
    [
      ['accepted_email', 'deliverable', 'accepted'],
      ['accepted_email, not probed for accept-all', 'deliverable', 'accepted', { catchAll: null }],
      ['invalid_email', 'undeliverable', 'syntax', UNHEARD],
      ['invalid_domain', 'undeliverable', 'domain_not_found', UNHEARD],
      ['invalid_domain, misspelt', 'undeliverable', 'domain_not_found', { ...UNHEARD, suggestedDomain: 'example.org' }],
      ['rejected_email', 'undeliverable', 'mailbox_not_found'],
      ['rejected_email, full mailbox', 'risky', 'mailbox_full', { mailboxFull: true }],
      ['invalid_smtp', 'undeliverable', 'server_error', UNHEARD],
      // The flags explain a `risky`.
      ['low_quality', 'risky', 'low_quality'],
      ['low_quality, role', 'deliverable', 'role', { role: true }],
      ['low_quality, disposable', 'risky', 'disposable', { ...UNHEARD, disposable: true }],
      ['low_quality, full mailbox', 'risky', 'mailbox_full', { mailboxFull: true }],
      ['low_deliverability', 'risky', 'low_quality'],
      ['low_deliverability, accept-all', 'catch_all', 'accepts_all', { catchAll: true }],
      ['no_connect', 'unknown', 'connection_failed', FREE],
      ['timeout', 'unknown', 'timeout', FREE],
      ['unavailable_smtp', 'unknown', 'server_error', FREE],
      ['unexpected_error', 'unknown', 'server_error', FREE],
      // Not reported as `unknown`, so it is billed.
      ['a state of tomorrow', 'unknown', null, UNHEARD],
      ['a reason of tomorrow', 'risky', null],
      ['only the required field', 'deliverable', null, NOTHING],
      ['fields of other types', 'deliverable', null, NOTHING],
    ],
    [
      // The vendor continues the check, and may bill its result.
      ['still working', 'pending', true, true],
      ['state of another type', 'malformed', false, true],
      ['state missing', 'malformed', false, true],
      ['bad request', 'refused', false, false],
      ['no key', 'unauthorized', false, false],
      ['no credit', 'no_credit', false, false],
      ['bad key', 'unauthorized', false, false],
      ['not found', 'unreachable', true, false],
      ['rate limit', 'rate_limited', true, false],
      ['server error', 'server_error', true, true],
      ['unavailable', 'server_error', true, true],
    ],
  );
});
