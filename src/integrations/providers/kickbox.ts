import * as z from 'zod';
import { flag } from '../exchange.ts';
import { type Adapter, readCommonWords, timeoutMillis, word } from './adapter.ts';

/** https://docs.kickbox.com/docs/single-verification-api */

const Answer = z.object({
  result: z.string(),
  reason: word,
  role: flag,
  disposable: flag,
  accept_all: flag,
  did_you_mean: word,
});

export const kickbox: Adapter = {
  id: 'kickbox',
  origin: 'https://api.kickbox.com',
  // $70 for 10,000 (August 2026).
  priceMicros: 7_000,
  request: ({ email, apiKey, timeoutMs }) => ({
    path: '/v2/verify',
    query: { email, timeout: String(timeoutMillis(timeoutMs, 1_000, 30_000)) },
    headers: { authorization: `Bearer ${apiKey}` },
  }),
  // 403 is an invalid key or an empty balance ("Insufficient balance", "Balance Depleted").
  statusOverrides: [{ status: 403, says: 'balance', kind: 'no_credit' }],
  read(reply) {
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { result, reason, role, disposable, accept_all, did_you_mean } = parsed.data;
    return {
      report: {
        ...readCommonWords(result, reason),
        catchAll: accept_all,
        role,
        disposable,
        mailboxFull: null,
        subStatus: reason,
      },
      suggestion: did_you_mean,
      // Unknown results are refunded.
      billed: result !== 'unknown',
    };
  },
};
