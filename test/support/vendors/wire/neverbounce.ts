import * as z from 'zod';
import { pick, type Statement, secondsAsMs, type WireForm, type WireReply } from './form.ts';

const Body = z.object({ key: z.string(), email: z.string(), timeout: z.number().optional() });

/** Errors come under status 200. */
const failure = (status: string, message: string): WireReply => ({
  status: 200,
  json: { status, message, execution_time: 5 },
});

const REACHED = ['has_dns', 'has_dns_mx', 'smtp_connectable'];
type Words = readonly [result: string, flags: readonly string[]];

function words({ verdict, acceptsAll, variant }: Statement): Words {
  switch (verdict) {
    case 'deliverable':
      return ['valid', acceptsAll ? [...REACHED, 'accepts_all'] : REACHED];
    case 'undeliverable':
      return ['invalid', REACHED];
    case 'catch_all':
      return ['catchall', [...REACHED, 'accepts_all']];
    case 'risky':
      return pick<Words>(
        [
          ['disposable', [...REACHED, 'disposable_email']],
          ['valid', [...REACHED, 'spamtrap_network']],
        ],
        variant,
      );
    case 'unknown':
      return pick<Words>(
        [
          ['unknown', ['has_dns', 'has_dns_mx']],
          ['unknown', ['has_dns', 'has_dns_mx', 'connect_fails']],
        ],
        variant,
      );
  }
}

export const neverbounce: WireForm = {
  method: 'POST',
  path: '/v4.2/single/check',
  read({ json }) {
    const body = Body.safeParse(json);
    if (!body.success) return null;
    const { key, email, timeout } = body.data;
    return { key, email, patienceMs: secondsAsMs(timeout === undefined ? null : String(timeout), 10, 1, 30) };
  },
  badRequest: failure('general_failure', "Missing required parameter 'email'"),
  badKey: failure('auth_failure', 'We were unable to authenticate your request'),
  noCredit: failure('general_failure', 'Insufficient credit balance'),
  rateLimited: failure('throttle_triggered', 'Too many requests in a short amount of time'),
  answer(statement) {
    const [result, flags] = words(statement);
    const role = statement.role ? ['role_account'] : [];
    return {
      status: 200,
      json: {
        status: 'success',
        result,
        flags: [...flags, ...role],
        suggested_correction: '',
        retry_token: '',
        execution_time: 285,
      },
      // A credit a call, whatever the result.
      billed: true,
    };
  },
};
