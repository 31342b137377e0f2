import * as z from 'zod';
import type { ProviderReason, ProviderVerdict } from '../../domain/belief/provider.ts';
import { block, flag, rowOf } from '../exchange.ts';
import { type Adapter, word } from './adapter.ts';

/** https://github.com/reacherhq/check-if-email-exists, backend 0.11 */

const Answer = z.object({
  is_reachable: z.string(),
  misc: block({ is_disposable: flag, is_role_account: flag }),
  mx: block({ accepts_mail: flag, error: z.unknown().optional() }),
  smtp: block({
    can_connect_smtp: flag,
    has_full_inbox: flag,
    is_catch_all: flag,
    is_deliverable: flag,
    is_disabled: flag,
    error: block({ type: word }),
    description: word,
  }),
  syntax: block({ is_valid_syntax: flag, suggestion: word }),
});
type Answer = z.infer<typeof Answer>;

const VERDICTS: Readonly<Record<string, ProviderVerdict>> = {
  safe: 'deliverable',
  risky: 'risky',
  invalid: 'undeliverable',
  unknown: 'unknown',
};

/** `smtp.error.type`; any other type is Reacher's own failure. */
const ERRORS: Readonly<Record<string, ProviderReason>> = {
  Timeout: 'timeout',
  IOError: 'connection_failed',
  Socks5: 'connection_failed',
  AsyncSmtpError: 'server_error',
};

/** `smtp.description`: the recipient's server refuses the asking machine. */
const DESCRIPTIONS: Readonly<Record<string, ProviderReason>> = { IpBlacklisted: 'blocked', NeedsRDNS: 'blocked' };

export const reacher: Adapter = {
  id: 'reacher',
  origin: null,
  // Self-hosted, so answers are not billed. An operator can set a price to cover the server's cost.
  priceMicros: 0,
  request: ({ email, apiKey }) => ({
    // The timeout is set on the server. v1, because v0 ignores the server's throttle.
    path: '/v1/check_email',
    headers: apiKey === '' ? {} : { 'x-reacher-secret': apiKey },
    body: { to_email: email },
  }),
  // A wrong or missing secret is a plain-text 400 naming the header.
  statusOverrides: [{ status: 400, says: 'x-reacher-secret', kind: 'unauthorized' }],
  read(reply) {
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { is_reachable, misc, smtp, syntax } = parsed.data;
    const verdict = refusedAfterAll(parsed.data) ? 'undeliverable' : (rowOf(VERDICTS, is_reachable) ?? 'unknown');
    return {
      report: {
        verdict,
        reason: reasonOf(verdict, parsed.data),
        catchAll: smtp?.is_catch_all ?? null,
        role: misc?.is_role_account ?? null,
        disposable: misc?.is_disposable ?? null,
        mailboxFull: smtp?.has_full_inbox ?? null,
        subStatus: smtp?.description ?? smtp?.error?.type ?? null,
      },
      suggestion: syntax?.suggestion ?? null,
      billed: true,
    };
  },
};

/** Reacher tests role and disposable names before the mailbox, so `risky` includes refused addresses. */
const refusedAfterAll = ({ is_reachable, smtp }: Answer): boolean =>
  is_reachable === 'risky' &&
  smtp !== null &&
  (smtp.is_deliverable === false || smtp.is_disabled === true) &&
  smtp.is_catch_all !== true;

function reasonOf(verdict: ProviderVerdict, { mx, smtp, syntax }: Answer): ProviderReason | null {
  if (verdict === 'deliverable') return 'accepted';
  if (verdict === 'risky') return 'low_quality';
  if (syntax?.is_valid_syntax === false) return 'syntax';
  if (mx?.error !== undefined) return 'dns_failed';
  if (mx?.accepts_mail === false) return 'no_mail_host';
  if (verdict === 'unknown') {
    const error = smtp?.error?.type ?? null;
    return (
      rowOf(DESCRIPTIONS, smtp?.description ?? null) ?? rowOf(ERRORS, error) ?? (error === null ? null : 'server_error')
    );
  }
  if (smtp?.is_disabled === true) return 'mailbox_disabled';
  return smtp?.can_connect_smtp === false ? 'connection_failed' : 'mailbox_not_found';
}
