import { describe, expect, it } from 'vitest';
import { EMAIL, KEY, readsEveryReply, requestOf } from './vendor.ts';

const UNHEARD = { catchAll: null };
const FREE = { catchAll: null, costMicros: 0 };

describe('hunter', () => {
  it('is asked by GET with the key in a header; it takes no timeout', async () => {
    const { url, init } = await requestOf('hunter', 3_500);
    expect(url.origin + url.pathname).toBe('https://api.hunter.io/v2/email-verifier');
    expect(Object.fromEntries(url.searchParams)).toEqual({ email: EMAIL });
    expect(init.headers).toMatchObject({ 'x-api-key': KEY });
  });

  readsEveryReply(
    'hunter',
    { catchAll: false, role: null, disposable: false, mailboxFull: null, suggestedDomain: null, costMicros: 7_500 },
    [
      ['valid', 'deliverable', 'accepted'],
      ['invalid', 'undeliverable', 'mailbox_not_found'],
      ['invalid, syntax', 'undeliverable', 'syntax', UNHEARD],
      ['invalid, no mail host', 'undeliverable', 'no_mail_host', UNHEARD],
      ['invalid, no connection', 'undeliverable', 'connection_failed', UNHEARD],
      ['accept_all', 'catch_all', 'accepts_all', { catchAll: true }],
      // Says where the mailbox is, not whether it exists; a definite status to them, so paid for.
      ['webmail', 'unknown', 'unsupported', UNHEARD],
      ['disposable', 'risky', 'disposable', { ...UNHEARD, disposable: true }],
      ['unknown', 'unknown', null, FREE],
      ['unknown, blocked', 'unknown', 'blocked', FREE],
      ['unknown, no connection', 'unknown', 'connection_failed', FREE],
      ['a status of tomorrow', 'unknown', null, UNHEARD],
      ['only the required field', 'deliverable', 'accepted', { catchAll: null, disposable: null }],
      ['fields of other types', 'deliverable', 'accepted', { catchAll: null, disposable: null }],
    ],
    [
      // The vendor continues the check, and may bill its result.
      ['still working', 'pending', true, true],
      ['server misbehaved, ask again', 'pending', true, true],
      ['status of another type', 'malformed', false, true],
      ['status missing', 'malformed', false, true],
      ['data missing', 'malformed', false, true],
      ['bad request', 'refused', false, false],
      ['bad key', 'unauthorized', false, false],
      // 403 is the rate, 429 the plan: the other way round than everywhere else.
      ['rate limit', 'rate_limited', true, false],
      ['no credit', 'no_credit', false, false],
      ['refusal', 'refused', false, false],
      ['server error', 'server_error', true, true],
    ],
  );
});
