import * as z from 'zod';
import type { ProviderReason, ProviderVerdict } from '../../domain/belief/provider.ts';
import { flag, rowOf } from '../exchange.ts';
import type { Adapter } from './adapter.ts';

/** https://hunter.io/api-documentation/v2#email-verifier */

const ROWS: Readonly<Record<string, { readonly verdict: ProviderVerdict; readonly reason: ProviderReason | null }>> = {
  valid: { verdict: 'deliverable', reason: 'accepted' },
  invalid: { verdict: 'undeliverable', reason: 'mailbox_not_found' },
  accept_all: { verdict: 'catch_all', reason: 'accepts_all' },
  disposable: { verdict: 'risky', reason: 'disposable' },
  // Hunter does not verify mailboxes at consumer providers: the word says where the mailbox is, not that it exists.
  webmail: { verdict: 'unknown', reason: 'unsupported' },
  unknown: { verdict: 'unknown', reason: null },
};

const Answer = z.object({
  data: z.object({
    status: z.string(),
    regexp: flag,
    mx_records: flag,
    smtp_server: flag,
    accept_all: flag,
    disposable: flag,
    block: flag,
  }),
});

/** Hunter's checks in order; the failed one gives the reason. */
const CHECKS = [
  { field: 'regexp', ends: false, reason: 'syntax' },
  { field: 'mx_records', ends: false, reason: 'no_mail_host' },
  { field: 'block', ends: true, reason: 'blocked' },
  { field: 'smtp_server', ends: false, reason: 'connection_failed' },
] as const satisfies readonly { field: keyof z.infer<typeof Answer>['data']; ends: boolean; reason: ProviderReason }[];

export const hunter: Adapter = {
  id: 'hunter',
  origin: 'https://api.hunter.io',
  // Half a credit of the Growth plan, $149 a month for 10,000 (May 2026), rounded up.
  priceMicros: 7_500,
  request: ({ email, apiKey }) => ({
    path: '/v2/email-verifier',
    // Hunter has no timeout parameter: it answers 202 after its own limit, and a repeat is free.
    query: { email },
    headers: { 'x-api-key': apiKey },
  }),
  statusOverrides: [
    // The limit per second or minute; an invalid key is 401.
    { status: 403, kind: 'rate_limited' },
    // The plan's credits are used up.
    { status: 429, kind: 'no_credit' },
  ],
  read(reply) {
    const parsed = Answer.safeParse(reply);
    if (!parsed.success) return null;
    const { data } = parsed.data;
    const { verdict, reason } = rowOf(ROWS, data.status) ?? { verdict: 'unknown', reason: null };
    const open = verdict === 'undeliverable' || data.status === 'unknown';
    const ended = open ? CHECKS.find(({ field, ends }) => data[field] === ends) : undefined;
    return {
      report: {
        verdict,
        reason: ended?.reason ?? reason,
        catchAll: verdict === 'catch_all' ? true : data.accept_all,
        role: null,
        disposable: data.status === 'disposable' ? true : data.disposable,
        mailboxFull: null,
        subStatus: data.status,
      },
      suggestion: null,
      // Failed verifications are free.
      billed: data.status !== 'unknown',
    };
  },
};
