import * as z from 'zod';
import type { ProviderReason, ProviderVerdict } from '../provider.ts';
import type { Adapter } from './adapter.ts';
import { flag, rowOf, timeoutSeconds, word } from './reply-fields.ts';

/** https://emailable.com/docs/api/emails/ and /status-codes/ */

const VERDICTS: Readonly<Record<string, ProviderVerdict>> = {
  deliverable: 'deliverable',
  undeliverable: 'undeliverable',
  risky: 'risky',
  unknown: 'unknown',
};

/** "Possible states and reasons", their help centre; the same list stands in their command line's source. */
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
    // `accept_all` is off unless asked for, and "deliverable" from a server that takes every name says next to nothing.
    query: { email, accept_all: 'true', timeout: String(timeoutSeconds(timeoutMs, 2, 10)) },
    headers: { authorization: `Bearer ${apiKey}` },
  }),
  read(reply) {
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { state, reason, role, disposable, accept_all, mailbox_full, did_you_mean } = parsed.data;
    return {
      finding: {
        verdict: rowOf(VERDICTS, state) ?? 'unknown',
        reason: rowOf(REASONS, reason) ?? null,
        catchAll: accept_all,
        role,
        disposable,
        mailboxFull: mailbox_full,
      },
      suggestion: did_you_mean,
      // Unknown results are not charged.
      billed: state !== 'unknown',
    };
  },
};
