import * as z from 'zod';
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts';
import { isSignatureOf, readPublicKey } from '../../kernel/crypto.ts';
import { parseJson, rowOf } from '../exchange.ts';
import {
  ACCEPTED,
  eventOf,
  eventsAlone,
  type MailServiceAdapter,
  type MeaningRow,
  meant,
  number,
  refused,
  reply,
  secondsOf,
  word,
} from './adapter.ts';

/** SendGrid repeats a batch for 24 hours; its documentation does not say that it signs it again. */
const TOLERANCE_MS = 25 * HOUR_MS;

/** By `event`; a bounce and a drop by a second word. */
const MEANINGS: Readonly<Record<string, MeaningRow>> = {
  delivered: { outcome: 'delivered', reason: 'the server has taken it' },
  deferred: { outcome: 'soft_bounce', reason: 'the server asked to try again later' },
  bounce: { outcome: 'hard_bounce', reason: 'refused for good; SendGrid does not send there again' },
  'bounce blocked': {
    outcome: 'soft_bounce',
    class: null,
    reason: 'refused for reputation or content; SendGrid sends there again',
  },
  spamreport: { outcome: 'complaint', reason: 'the person called it spam' },
  open: { outcome: 'delivered', means: 'seen', reason: 'scanners fetch pictures too' },
  click: { outcome: 'delivered', means: 'seen', reason: 'scanners follow links too' },
  'dropped Bounced Address': { outcome: 'hard_bounce', means: 'suppressed', reason: 'it bounced before' },
  'dropped Invalid': { outcome: 'hard_bounce', means: 'suppressed', reason: 'it was refused as invalid before' },
  'dropped Spam Reporting Address': { outcome: 'complaint', means: 'suppressed', reason: 'it complained before' },
};

const Event = z.object({
  email: word,
  timestamp: number,
  event: word,
  sg_event_id: word,
  sg_message_id: word,
  type: word,
  status: word,
  reason: reply,
  response: reply,
});
const Batch = z.array(Event.nullable().catch(null));

const meaningOf = ({ event, type, reason }: z.output<typeof Event>): MeaningRow | undefined => {
  if (event === 'dropped') return rowOf(MEANINGS, `dropped ${reason ?? ''}`);
  return (event === 'bounce' ? rowOf(MEANINGS, `bounce ${type ?? ''}`) : undefined) ?? rowOf(MEANINGS, event);
};

/** The signed event webhook: ECDSA of timestamp and body. */
export const sendgrid: MailServiceAdapter = {
  verify({ headers, body }, secrets, nowMs) {
    const signature = headers['X-Twilio-Email-Event-Webhook-Signature'] ?? null;
    const timestamp = headers['X-Twilio-Email-Event-Webhook-Timestamp'] ?? null;
    const seconds = secondsOf(timestamp);
    if (signature === null || seconds === null) return refused('unsigned');
    const keys = secrets.flatMap((secret) => readPublicKey(secret) ?? []);
    if (!keys.some((key) => isSignatureOf(key, 'sha256', `${timestamp}${body}`, signature))) return refused('forged');
    return Math.abs(nowMs - seconds * SECOND_MS) > TOLERANCE_MS ? refused('out_of_time') : ACCEPTED;
  },

  read(body) {
    const batch = Batch.safeParse(parseJson(body));
    if (!batch.success) return null;
    return eventsAlone(
      batch.data.flatMap((event) => {
        const meaning = event === null ? null : meant(meaningOf(event));
        if (event === null || meaning === null) return [];
        const { email, timestamp, sg_event_id, sg_message_id, reason, response, status } = event;
        return eventOf(meaning, {
          id: sg_event_id ?? `${sg_message_id ?? ''} ${event.event} ${timestamp}`,
          email,
          at: timestamp === null ? null : timestamp * SECOND_MS,
          replies: [reason, response, status],
        });
      }),
    );
  },
};
