import * as z from 'zod';
import type { ProviderReason, ProviderVerdict, ProviderWarning } from '../../domain/belief/provider.ts';
import { rowOf } from '../exchange.ts';
import { type Adapter, timeoutSeconds, word } from './adapter.ts';

/** https://www.zerobounce.net/docs/email-validation-api-quickstart/v2-validate-emails */

interface Row {
  readonly verdict: ProviderVerdict;
  readonly reason: ProviderReason | null;
  readonly catchAll?: boolean;
  readonly role?: boolean;
  readonly warning?: ProviderWarning;
}

/** Rows by `status/sub_status`, or by `status` alone for its other sub-statuses (https://…/v2-status-codes). */
const ROWS: Readonly<Record<string, Row>> = {
  valid: { verdict: 'deliverable', reason: 'accepted' },
  // A catch-all domain whose mailbox they claim to have verified by other means.
  'valid/accept_all': { verdict: 'deliverable', reason: 'accepted', catchAll: true },
  'valid/role_based_accept_all': { verdict: 'deliverable', reason: 'role', catchAll: true, role: true },
  invalid: { verdict: 'undeliverable', reason: null },
  'invalid/mailbox_not_found': { verdict: 'undeliverable', reason: 'mailbox_not_found' },
  'invalid/failed_syntax_check': { verdict: 'undeliverable', reason: 'syntax' },
  'invalid/possible_typo': { verdict: 'undeliverable', reason: 'typo' },
  'invalid/no_dns_entries': { verdict: 'undeliverable', reason: 'domain_not_found' },
  'invalid/unroutable_ip_address': { verdict: 'undeliverable', reason: 'no_mail_host' },
  'invalid/does_not_accept_mail': { verdict: 'undeliverable', reason: 'no_mail_host' },
  'invalid/mailbox_quota_exceeded': { verdict: 'risky', reason: 'mailbox_full' },
  'catch-all': { verdict: 'catch_all', reason: 'accepts_all' },
  unknown: { verdict: 'unknown', reason: null },
  'unknown/antispam_system': { verdict: 'unknown', reason: 'blocked' },
  'unknown/exception_occurred': { verdict: 'unknown', reason: 'server_error' },
  'unknown/failed_smtp_connection': { verdict: 'unknown', reason: 'connection_failed' },
  'unknown/forcible_disconnect': { verdict: 'unknown', reason: 'connection_failed' },
  'unknown/greylisted': { verdict: 'unknown', reason: 'greylisted' },
  'unknown/mail_server_did_not_respond': { verdict: 'unknown', reason: 'timeout' },
  'unknown/mail_server_temporary_error': { verdict: 'unknown', reason: 'server_error' },
  'unknown/timeout_exceeded': { verdict: 'unknown', reason: 'timeout' },
  spamtrap: { verdict: 'risky', reason: 'spam_trap' },
  abuse: { verdict: 'risky', reason: 'complainer' },
  // "Deliverable but should not be mailed": whether to mail it is the customer's decision.
  do_not_mail: { verdict: 'risky', reason: 'low_quality', warning: 'do_not_mail' },
  'do_not_mail/role_based': { verdict: 'deliverable', reason: 'role', role: true },
  'do_not_mail/role_based_catch_all': { verdict: 'catch_all', reason: 'accepts_all', role: true },
  'do_not_mail/disposable': { verdict: 'risky', reason: 'disposable' },
  'do_not_mail/mx_forward': { verdict: 'risky', reason: 'low_quality', warning: 'do_not_mail' },
  'do_not_mail/global_suppression': { verdict: 'risky', reason: 'complainer', warning: 'suppressed' },
  'do_not_mail/possible_trap': { verdict: 'risky', reason: 'spam_trap' },
  'do_not_mail/toxic': { verdict: 'risky', reason: 'complainer', warning: 'toxic' },
};

/** A match in the ZeroBounce account's own lists, without asking a server. */
const ACCOUNT_LISTS: ReadonlySet<string | null> = new Set(['allowed', 'blocked']);

const UNLISTED: Row = { verdict: 'unknown', reason: null };

/** An SDK types it as a boolean, but the similar `mx_found` arrives as text. */
const catchAllDomain = z
  .union([z.boolean(), z.literal(['true', 'false']).transform((text) => text === 'true')])
  .nullable()
  .catch(null);

const Answer = z.object({ status: z.string(), sub_status: word, catchall_domain: catchAllDomain, did_you_mean: word });

/** `{"error":"Invalid API key or your account ran out of credits"}`: one message for both, with status 200. */
const ErrorReply = z.object({ error: z.string() });

export const zerobounce: Adapter = {
  id: 'zerobounce',
  origin: 'https://api.zerobounce.net',
  // $129 for 10,000 (June 2026).
  priceMicros: 12_900,
  request: ({ email, apiKey, timeoutMs }) => ({
    path: '/v2/validate',
    // `ip_address` may be empty but is required. `timeout`: 3 to 60 s (their Postman collection).
    query: { api_key: apiKey, email, ip_address: '', timeout: String(timeoutSeconds(timeoutMs, 3, 60)) },
  }),
  // Their "API Shield" throttles us; an invalid key gets a 200.
  statusOverrides: [{ status: 403, kind: 'rate_limited' }],
  read(reply) {
    const refusal = ErrorReply.safeParse(reply);
    if (refusal.success) {
      const says = refusal.data.error.toLowerCase();
      if (says.includes('credit')) return { failure: 'no_credit' };
      return { failure: says.includes('key') ? 'unauthorized' : 'refused' };
    }
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { status, sub_status, catchall_domain, did_you_mean } = parsed.data;
    const row = ACCOUNT_LISTS.has(sub_status)
      ? UNLISTED
      : (rowOf(ROWS, `${status}/${sub_status}`) ?? rowOf(ROWS, status) ?? UNLISTED);
    return {
      report: {
        verdict: row.verdict,
        reason: row.reason,
        catchAll: row.verdict === 'catch_all' ? true : (row.catchAll ?? catchall_domain),
        role: row.role ?? null,
        disposable: row.reason === 'disposable' ? true : null,
        mailboxFull: row.reason === 'mailbox_full' ? true : null,
        subStatus: sub_status,
        ...(row.warning && { warning: row.warning }),
      },
      suggestion: did_you_mean,
      // Unknown results are never charged.
      billed: status !== 'unknown',
    };
  },
};
