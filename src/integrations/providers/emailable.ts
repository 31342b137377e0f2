import * as z from 'zod';
import { flag } from '../exchange.ts';
import { type Adapter, readCommonWords, timeoutSeconds, word } from './adapter.ts';

/** https://emailable.com/docs/api/emails/ and /status-codes/; reasons: their help centre and command line's source. */

const Answer = z.object({
  state: z.string(),
  reason: word,
  role: flag,
  disposable: flag,
  accept_all: flag,
  mailbox_full: flag,
  did_you_mean: word,
});

export const emailable: Adapter = {
  id: 'emailable',
  origin: 'https://api.emailable.com',
  // $60 for 10,000 (September 2025).
  priceMicros: 6_000,
  request: ({ email, apiKey, timeoutMs }) => ({
    path: '/v1/verify',
    // `accept_all` is off by default, but "deliverable" says little about a server that takes every name.
    query: { email, accept_all: 'true', timeout: String(timeoutSeconds(timeoutMs, 2, 10)) },
    headers: { authorization: `Bearer ${apiKey}` },
  }),
  read(reply) {
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { state, reason, role, disposable, accept_all, mailbox_full, did_you_mean } = parsed.data;
    return {
      report: {
        ...readCommonWords(state, reason),
        catchAll: accept_all,
        role,
        disposable,
        mailboxFull: mailbox_full,
        subStatus: reason,
      },
      suggestion: did_you_mean,
      // Unknown results are not charged.
      billed: state !== 'unknown',
    };
  },
};
