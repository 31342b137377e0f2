import * as z from 'zod';
import { domainOf, localOf, type Statement, type WireForm, type WireReply } from './form.ts';

const Body = z.object({ to_email: z.string() });

const failure = (status: number, error: string): WireReply => ({ status, json: { error } });

/** `RCH__SMTP_TIMEOUT`, set on the server. */
const PATIENCE_MS = 30_000;

/** The rule of its source: an SMTP error first; then what makes an address risky; the mailbox last. */
function reachable({ verdict, role }: Statement): string {
  if (verdict === 'unknown') return 'unknown';
  if (role || verdict === 'risky' || verdict === 'catch_all') return 'risky';
  return verdict === 'undeliverable' ? 'invalid' : 'safe';
}

export const reacher: WireForm = {
  method: 'POST',
  path: '/v1/check_email',
  read({ json, header }) {
    const body = Body.safeParse(json);
    if (!body.success) return null;
    return { key: header('x-reacher-secret') ?? '', email: body.data.to_email, patienceMs: PATIENCE_MS };
  },
  badRequest: failure(400, 'to_email field is required.'),
  badKey: { status: 400, json: 'Invalid request header "x-reacher-secret"' },
  // Reacher is self-hosted and has no credit; this is a gateway's answer.
  noCredit: failure(402, 'Payment Required'),
  rateLimited: failure(429, 'Rate limit per minute exceeded, please wait 12s'),
  answer(statement) {
    const { email, verdict, role, consumer, variant } = statement;
    const full = verdict === 'risky' && variant % 2 === 1;
    const domain = domainOf(email);
    const smtp = {
      can_connect_smtp: true,
      has_full_inbox: full,
      is_catch_all: verdict === 'catch_all',
      is_deliverable: verdict !== 'undeliverable' && !full,
      is_disabled: false,
    };
    return {
      status: 200,
      json: {
        input: email,
        is_reachable: reachable(statement),
        misc: {
          is_disposable: verdict === 'risky' && !full,
          is_role_account: role,
          is_b2c: consumer,
          gravatar_url: null,
          haveibeenpwned: null,
        },
        mx: {
          accepts_mail: true,
          records: [`mx.${domain}.`],
        },
        smtp:
          verdict === 'unknown'
            ? {
                error: {
                  type: 'Timeout',
                  message: {
                    secs: 30,
                    nanos: 0,
                  },
                },
              }
            : smtp,
        syntax: {
          address: email,
          domain,
          is_valid_syntax: true,
          username: localOf(email),
          normalized_email: email,
          suggestion: null,
        },
        debug: {
          backend_name: 'backend-dev',
          duration: {
            secs: 0,
            nanos: 337e6,
          },
        },
      },
      // The operator's estimated cost of a check, whatever its result.
      billed: true,
    };
  },
};
