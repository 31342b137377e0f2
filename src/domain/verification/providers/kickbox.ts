import * as z from 'zod';
import type { ProviderReason, ProviderVerdict } from '../provider.ts';
import type { Adapter } from './adapter.ts';
import { flag, rowOf, timeoutMillis, word } from './reply-fields.ts';

/** https://docs.kickbox.com/docs/single-verification-api */

const VERDICTS: Readonly<Record<string, ProviderVerdict>> = {
  deliverable: 'deliverable',
  undeliverable: 'undeliverable',
  risky: 'risky',
  unknown: 'unknown',
};

const REASONS: Readonly<Record<string, ProviderReason>> = {
  accepted_email: 'accepted',
  invalid_email: 'syntax',
  invalid_domain: 'domain_not_found',
  rejected_email: 'mailbox_not_found',
  // "SMTP server returned an unexpected or invalid response", which they call undeliverable.
  invalid_smtp: 'server_error',
  low_quality: 'low_quality',
  low_deliverability: 'low_quality',
  no_connect: 'connection_failed',
  timeout: 'timeout',
  unavailable_smtp: 'server_error',
  unexpected_error: 'server_error',
};

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
  // 403 is a bad key or an empty balance ("Insufficient balance", "Balance Depleted"): only the message tells.
  refusals: [{ status: 403, says: 'balance', kind: 'no_credit' }],
  read(reply) {
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { result, reason, role, disposable, accept_all, did_you_mean } = parsed.data;
    return {
      finding: {
        verdict: rowOf(VERDICTS, result) ?? 'unknown',
        reason: rowOf(REASONS, reason) ?? null,
        catchAll: accept_all,
        role,
        disposable,
        mailboxFull: null,
      },
      suggestion: did_you_mean,
      // Unknown results are refunded.
      billed: result !== 'unknown',
    };
  },
};
