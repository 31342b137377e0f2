import * as z from 'zod';
import type { ProviderReason, ProviderVerdict } from '../provider.ts';
import type { Adapter } from './adapter.ts';
import { rowOf, timeoutSeconds, word } from './reply-fields.ts';

/** https://docs.usebouncer.com/api-reference/real-time/verify-email */

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
  low_quality: 'low_quality',
  low_deliverability: 'low_quality',
  dns_error: 'dns_failed',
  unavailable_smtp: 'server_error',
  unsupported: 'unsupported',
  timeout: 'timeout',
};

const yesNo = z
  .enum(['yes', 'no'])
  .transform((text) => text === 'yes')
  .nullable()
  .catch(null);

const Answer = z.object({
  status: z.string(),
  reason: word,
  domain: z.object({ acceptAll: yesNo, disposable: yesNo }).nullable().catch(null),
  account: z.object({ role: yesNo, disabled: yesNo, fullMailbox: yesNo }).nullable().catch(null),
  retryAfter: z.unknown().optional(),
});

export const bouncer: Adapter = {
  id: 'bouncer',
  origin: 'https://api.usebouncer.com',
  // $45 for 10,000 (September 2025).
  priceMicros: 4_500,
  request: ({ email, apiKey, timeoutMs }) => ({
    path: '/v1.1/email/verify',
    query: { email, timeout: String(timeoutSeconds(timeoutMs, 1, 30)) },
    headers: { 'x-api-key': apiKey },
  }),
  read(reply) {
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { status, reason, domain, account, retryAfter } = parsed.data;
    const verdict = rowOf(VERDICTS, status) ?? 'unknown';
    return {
      finding: {
        verdict,
        reason:
          refined(verdict, account?.disabled === true, retryAfter !== undefined) ?? rowOf(REASONS, reason) ?? null,
        catchAll: domain?.acceptAll ?? null,
        role: account?.role ?? null,
        disposable: domain?.disposable ?? null,
        mailboxFull: account?.fullMailbox ?? null,
      },
      suggestion: null,
      // Whether an unknown is charged is not published.
      billed: true,
    };
  },
};

/** What the fields beside `reason` say more exactly: `retryAfter` comes with greylisting alone. */
function refined(verdict: ProviderVerdict, disabled: boolean, retryLater: boolean): ProviderReason | null {
  if (verdict === 'undeliverable' && disabled) return 'mailbox_disabled';
  return verdict === 'unknown' && retryLater ? 'greylisted' : null;
}
