import { commonWords } from './common-words.ts';
import { bearer, domainOf, localOf, type WireForm, type WireReply } from './form.ts';

const failure = (status: number, message: string): WireReply => ({ status, json: { message, success: false } });

export const kickbox: WireForm = {
  method: 'GET',
  path: '/v2/verify',
  read({ query, header }) {
    const email = query.get('email');
    if (email === null) return null;
    return { key: bearer(header('authorization')), email, patienceMs: Number(query.get('timeout') ?? 6_000) };
  },
  badRequest: failure(400, 'Missing email parameter'),
  badKey: failure(403, 'Invalid API Key'),
  noCredit: failure(403, 'Insufficient balance'),
  rateLimited: failure(429, 'Rate Limit Exceeded'),
  answer(statement) {
    const { email, acceptsAll, role, consumer } = statement;
    const { verdict, reason, disposable } = commonWords(statement);
    return {
      status: 200,
      json: {
        result: verdict,
        reason,
        role,
        free: consumer,
        disposable,
        accept_all: acceptsAll,
        did_you_mean: null,
        sendex: verdict === 'deliverable' ? 0.93 : 0,
        email,
        user: localOf(email),
        domain: domainOf(email),
        success: true,
        message: null,
      },
      // Unknown results are refunded.
      billed: verdict !== 'unknown',
    };
  },
};
