import { commonWords } from './common-words.ts';
import { domainOf, secondsAsMs, type WireForm, type WireReply } from './form.ts';

const failure = (status: number, error: string, message: string): WireReply => ({
  status,
  json: { status, error, message },
});

const yesNo = (flag: boolean): string => (flag ? 'yes' : 'no');

export const bouncer: WireForm = {
  method: 'GET',
  path: '/v1.1/email/verify',
  read({ query, header }) {
    const email = query.get('email');
    if (email === null) return null;
    return { key: header('x-api-key') ?? '', email, patienceMs: secondsAsMs(query.get('timeout'), 10, 1, 30) };
  },
  badRequest: failure(400, 'Bad Request', 'email is required'),
  badKey: failure(401, 'Unauthorized', 'unauthorized'),
  noCredit: failure(402, 'Payment Required', 'not enough credits, 1 required'),
  rateLimited: failure(429, 'Too Many Requests', 'too many requests'),
  answer(statement) {
    const { email, verdict: found, acceptsAll, role, consumer, variant } = statement;
    const { verdict, reason, disposable } = commonWords(statement);
    const full = found === 'risky' && variant % 2 === 1;
    const heard = found !== 'unknown';
    const name = domainOf(email);
    return {
      status: 200,
      json: {
        email,
        name: '',
        status: verdict,
        reason,
        domain: {
          name,
          acceptAll: heard ? yesNo(acceptsAll) : 'unknown',
          disposable: yesNo(disposable && !full),
          free: yesNo(consumer),
        },
        account: {
          role: yesNo(role),
          disabled: heard ? 'no' : 'unknown',
          fullMailbox: heard ? yesNo(full) : 'unknown',
        },
        dns: {
          type: 'MX',
          record: `mx.${name}.`,
        },
        provider: name,
        score: verdict === 'deliverable' ? 100 : 0,
        toxic: 'unknown',
        toxicity: 0,
      },
      // Whether an unknown is charged is not published.
      billed: true,
    };
  },
};
