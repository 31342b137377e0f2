import { commonWords } from './common-words.ts';
import { bearer, domainOf, localOf, secondsAsMs, type WireForm, type WireReply } from './form.ts';

const failure = (status: number, message: string): WireReply => ({ status, json: { message } });

export const emailable: WireForm = {
  method: 'GET',
  path: '/v1/verify',
  read({ query, header }) {
    const email = query.get('email');
    if (email === null) return null;
    const key = bearer(header('authorization'));
    return { key, email, patienceMs: secondsAsMs(query.get('timeout'), 5, 2, 10) };
  },
  badRequest: failure(400, 'Email is missing.'),
  badKey: failure(403, 'Your API key is invalid.'),
  noCredit: failure(402, "You don't have enough credits to make this request."),
  rateLimited: failure(429, "You've been rate limited."),
  // The check goes on, and is charged once it has an end.
  stillWorking: {
    ...failure(249, 'Your request is taking longer than normal. Please send your request again.'),
    billed: true,
  },
  answer(statement) {
    const { email, verdict: found, acceptsAll, role, consumer, variant } = statement;
    const { verdict, reason, disposable } = commonWords(statement);
    const full = found === 'risky' && variant % 2 === 1;
    return {
      status: 200,
      json: {
        accept_all: found === 'unknown' ? null : acceptsAll,
        did_you_mean: null,
        disposable: disposable && !full,
        domain: domainOf(email),
        duration: 0.493,
        email,
        first_name: null,
        full_name: null,
        gender: null,
        free: consumer,
        last_name: null,
        mailbox_full: full,
        mx_record: `mx.${domainOf(email)}`,
        no_reply: false,
        reason,
        role,
        score: verdict === 'deliverable' ? 100 : 0,
        smtp_provider: null,
        state: verdict,
        tag: null,
        user: localOf(email),
      },
      // Unknown results are not charged.
      billed: verdict !== 'unknown',
    };
  },
};
