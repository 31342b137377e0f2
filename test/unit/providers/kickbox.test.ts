import { describe, expect, it } from 'vitest';
import { EMAIL, KEY, readsEveryReply, requestOf } from './vendor.ts';

const UNHEARD = { catchAll: null };
const FREE = { catchAll: null, costMicros: 0 };
const ALL = { catchAll: true };

describe('kickbox', () => {
  it('is asked by GET with the key in a header and its own timeout in milliseconds', async () => {
    const { url, init } = await requestOf('kickbox', 3_500);
    expect(url.origin + url.pathname).toBe('https://api.kickbox.com/v2/verify');
    expect(Object.fromEntries(url.searchParams)).toEqual({ email: EMAIL, timeout: '3250' });
    expect(init.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
  });

  it.each([
    [600, '1000'],
    [60_000, '30000'],
  ])('with %d ms gives it its own timeout of %s ms, 1 to 30 s', async (ms, timeout) => {
    expect((await requestOf('kickbox', ms)).url.searchParams.get('timeout')).toBe(timeout);
  });

  readsEveryReply(
    'kickbox',
    { catchAll: false, role: false, disposable: false, mailboxFull: null, suggestedDomain: null, costMicros: 7_000 },
    [
      ['accepted_email', 'deliverable', 'accepted'],
      ['accepted_email, role', 'deliverable', 'accepted', { role: true }],
      ['accepted_email, accept-all', 'deliverable', 'accepted', ALL],
      ['invalid_email', 'undeliverable', 'syntax', UNHEARD],
      ['invalid_domain', 'undeliverable', 'domain_not_found', UNHEARD],
      ['invalid_domain, misspelt', 'undeliverable', 'domain_not_found', { ...UNHEARD, suggestedDomain: 'example.org' }],
      ['rejected_email', 'undeliverable', 'mailbox_not_found'],
      // Only another domain is a suggestion; a suggested local part would be another person's address.
      ['rejected_email, local part misspelt', 'undeliverable', 'mailbox_not_found'],
      ['rejected_email, disposable', 'undeliverable', 'mailbox_not_found', { disposable: true }],
      ['invalid_smtp', 'undeliverable', 'server_error', UNHEARD],
      // The flags explain a `risky`.
      ['low_quality', 'risky', 'low_quality'],
      ['low_quality, role', 'deliverable', 'role', { role: true }],
      ['low_quality, disposable', 'risky', 'disposable', { ...UNHEARD, disposable: true }],
      ['low_deliverability', 'risky', 'low_quality'],
      ['low_deliverability, accept-all', 'catch_all', 'accepts_all', ALL],
      ['no_connect', 'unknown', 'connection_failed', FREE],
      ['timeout', 'unknown', 'timeout', FREE],
      ['timeout, disposable and role', 'unknown', 'timeout', { ...FREE, role: true, disposable: true }],
      ['unavailable_smtp', 'unknown', 'server_error', FREE],
      ['unexpected_error', 'unknown', 'server_error', FREE],
      // Not reported as `unknown`, so it is billed.
      ['a result of tomorrow', 'unknown', null, UNHEARD],
      ['a reason of tomorrow', 'undeliverable', null],
      ['only the required field', 'deliverable', null, { catchAll: null, role: null, disposable: null }],
      ['fields of other types', 'deliverable', null, { catchAll: null, role: null, disposable: null }],
    ],
    [
      ['result of another type', 'malformed', false, true],
      ['result missing', 'malformed', false, true],
      ['call failed under status 200', 'malformed', false, true],
      ['bad request', 'refused', false, false],
      // Both have the same status; the message tells them apart.
      ['bad key', 'unauthorized', false, false],
      ['no credit', 'no_credit', false, false],
      ['no credit, the other wording', 'no_credit', false, false],
      ['wrong content type', 'refused', false, false],
      ['rate limit', 'rate_limited', true, false],
      ['server error', 'server_error', true, true],
    ],
  );
});
