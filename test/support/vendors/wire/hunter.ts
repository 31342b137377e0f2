import type { ProviderVerdict } from '../../../../src/domain/belief/provider.ts';
import type { Statement, WireForm, WireReply } from './form.ts';

const failure = (code: number, id: string, details: string): WireReply => ({
  status: code,
  json: { errors: [{ id, code, details }] },
});

/** No timeout parameter: 202 after this long. */
const PATIENCE_MS = 20_000;

const WORDS: Readonly<Record<ProviderVerdict, readonly [status: string, result: string]>> = {
  deliverable: ['valid', 'deliverable'],
  undeliverable: ['invalid', 'undeliverable'],
  catch_all: ['accept_all', 'risky'],
  // Hunter's only word for a suspicious address.
  risky: ['disposable', 'risky'],
  unknown: ['unknown', 'risky'],
};

/** Hunter reports `webmail` where it can't verify at a consumer provider. */
const words = ({ verdict, consumer }: Statement): readonly [status: string, result: string] =>
  verdict === 'unknown' && consumer ? ['webmail', 'risky'] : WORDS[verdict];

export const hunter: WireForm = {
  method: 'GET',
  path: '/v2/email-verifier',
  read({ query, header }) {
    const email = query.get('email');
    return email === null ? null : { key: header('x-api-key') ?? '', email, patienceMs: PATIENCE_MS };
  },
  badRequest: failure(400, 'wrong_params', 'You are missing the email parameter'),
  badKey: failure(401, 'authentication_failed', 'No user found for the API key supplied'),
  noCredit: failure(429, 'usage_exceeded', 'You have reached the limit of your plan'),
  rateLimited: failure(403, 'too_many_requests', 'You have reached the rate limit'),
  stillWorking: { status: 202, json: { data: { status: null } }, billed: true },
  answer(statement) {
    const { email, verdict, acceptsAll, consumer } = statement;
    const [status, result] = words(statement);
    return {
      status: 200,
      json: {
        data: {
          status,
          result,
          _deprecation_notice: 'Using result is deprecated, use status instead',
          score: verdict === 'deliverable' ? 100 : 0,
          email,
          regexp: true,
          gibberish: false,
          disposable: status === 'disposable',
          webmail: consumer,
          mx_records: true,
          smtp_server: true,
          smtp_check: verdict === 'deliverable' || verdict === 'catch_all',
          accept_all: acceptsAll,
          block: false,
          sources: [],
        },
        meta: { params: { email } },
      },
      // Failed verifications are free.
      billed: status !== 'unknown',
    };
  },
};
