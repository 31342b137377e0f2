import * as z from 'zod';
import type { ProviderReason, ProviderVerdict } from '../../domain/belief/provider.ts';
import { rowOf } from '../exchange.ts';
import { type Adapter, REASON_WORDS, timeoutSeconds, VERDICT_WORDS, word } from './adapter.ts';

/** https://docs.usebouncer.com/api-reference/real-time/verify-email */

const BOUNCER_REASONS: Readonly<Record<string, ProviderReason>> = {
  ...REASON_WORDS,
  dns_error: 'dns_failed',
  unsupported: 'unsupported',
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
  retryAfter: word,
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
    const verdict = rowOf(VERDICT_WORDS, status);
    const row = verdict && rowOf(BOUNCER_REASONS, reason);
    return {
      report: {
        verdict: verdict ?? 'unknown',
        reason: exactReason(verdict, account?.disabled === true, retryAfter !== null) ?? row ?? null,
        catchAll: domain?.acceptAll ?? null,
        role: account?.role ?? null,
        disposable: domain?.disposable ?? null,
        mailboxFull: account?.fullMailbox ?? null,
        subStatus: reason,
      },
      suggestion: null,
      // Whether an unknown is charged is not published.
      billed: true,
    };
  },
};

/** Other fields can be more exact than `reason`: `retryAfter` comes only with greylisting. */
function exactReason(
  verdict: ProviderVerdict | undefined,
  disabled: boolean,
  retryLater: boolean,
): ProviderReason | null {
  if (verdict === 'undeliverable' && disabled) return 'mailbox_disabled';
  return verdict === 'unknown' && retryLater ? 'greylisted' : null;
}
