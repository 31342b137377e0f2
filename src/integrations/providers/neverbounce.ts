import * as z from 'zod';
import type { ProviderReason, ProviderVerdict } from '../../domain/belief/provider.ts';
import { rowOf } from '../exchange.ts';
import { type Adapter, type FailureKind, timeoutSeconds, word } from './adapter.ts';

/** https://developers.neverbounce.com/reference/single-check */

const RESULTS: Readonly<Record<string, { readonly verdict: ProviderVerdict; readonly reason: ProviderReason | null }>> =
  {
    valid: { verdict: 'deliverable', reason: 'accepted' },
    invalid: { verdict: 'undeliverable', reason: 'mailbox_not_found' },
    disposable: { verdict: 'risky', reason: 'disposable' },
    catchall: { verdict: 'catch_all', reason: 'accepts_all' },
    unknown: { verdict: 'unknown', reason: null },
  };

/** Mail to a trap arrives, and harms its sender. */
const SPAM_TRAP = { verdict: 'risky', reason: 'spam_trap' } as const;

/** Flags that explain `invalid` or `unknown`; the first present one counts. */
const REASON_FLAGS: readonly (readonly [flag: string, reason: ProviderReason])[] = [
  ['bad_syntax', 'syntax'],
  ['bad_dns', 'domain_not_found'],
  ['temporary_dns_error', 'dns_failed'],
  ['connect_fails', 'connection_failed'],
  ['spelling_mistake', 'typo'],
];

/** Errors come with status 200 too. */
const FAILURES: Readonly<Record<string, FailureKind>> = {
  auth_failure: 'unauthorized',
  bad_referrer: 'unauthorized',
  temp_unavail: 'server_error',
  throttle_triggered: 'rate_limited',
};

const Reply = z.object({ status: z.string(), message: word });
const Answer = z.object({
  result: z.string(),
  flags: z.array(z.string()).nullable().catch(null),
  suggested_correction: word,
});

export const neverbounce: Adapter = {
  id: 'neverbounce',
  origin: 'https://api.neverbounce.com',
  // $50 for 10,000 (August 2026).
  priceMicros: 5_000,
  request: ({ email, apiKey, timeoutMs }) => ({
    // POST, which they accept for every GET, keeps key and address out of the URL.
    path: '/v4.2/single/check',
    body: { key: apiKey, email, timeout: timeoutSeconds(timeoutMs, 1, 30) },
  }),
  read(reply) {
    const envelope = Reply.safeParse(reply);
    if (!envelope.success) return null;
    const { status, message } = envelope.data;
    // Only the message gives the cause of `general_failure`.
    if (status !== 'success') {
      const outOfCredit = message?.toLowerCase().includes('credit') ?? false;
      return { failure: rowOf(FAILURES, status) ?? (outOfCredit ? 'no_credit' : 'refused') };
    }
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { result, flags, suggested_correction } = parsed.data;
    const { verdict, reason } = rowOf(RESULTS, result) ?? { verdict: 'unknown', reason: null };
    const flagged = (name: string): boolean | null => flags?.includes(name) ?? null;
    const open = verdict === 'undeliverable' || verdict === 'unknown';
    const why = open ? REASON_FLAGS.find(([name]) => flagged(name) === true)?.[1] : undefined;
    const connected = flagged('smtp_connectable') === true;
    const trap = flagged('spamtrap_network') === true;
    const said = trap && verdict === 'deliverable' ? SPAM_TRAP : { verdict, reason: why ?? reason };
    return {
      report: {
        ...said,
        ...(trap && { warning: 'spam_trap' }),
        // An absent flag means "tested, and no" only after a connection to the server.
        catchAll: verdict === 'catch_all' || flagged('accepts_all') === true || (connected ? false : null),
        role: flagged('role_account'),
        disposable: verdict === 'risky' ? true : flagged('disposable_email'),
        mailboxFull: null,
        subStatus: result,
      },
      suggestion: suggested_correction,
      // Each call takes a credit, whatever the result.
      billed: true,
    };
  },
};
