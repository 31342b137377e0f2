import * as z from 'zod';
import { constantTimeEqual } from '../../kernel/crypto.ts';
import { flag, parseJson, rowOf } from '../exchange.ts';
import {
  ACCEPTED,
  eventOf,
  eventsAlone,
  instant,
  type MailServiceAdapter,
  type MeaningRow,
  meant,
  numeral,
  refused,
  reply,
  word,
} from './adapter.ts';

/** By `RecordType`, and a bounce by its `Type`. Bounces that a person or a program answered with mean nothing. */
const MEANINGS: Readonly<Record<string, MeaningRow>> = {
  Delivery: { outcome: 'delivered', reason: 'the server has taken it' },
  Open: { outcome: 'delivered', means: 'seen', reason: 'scanners fetch pictures too' },
  Click: { outcome: 'delivered', means: 'seen', reason: 'scanners follow links too' },
  SpamComplaint: { outcome: 'complaint', reason: 'the person called it spam' },
  'Bounce HardBounce': { outcome: 'hard_bounce', reason: 'unknown user, mailbox not found' },
  'Bounce BadEmailAddress': { outcome: 'hard_bounce', means: 'suppressed', reason: 'Postmark does not send there' },
  'Bounce SpamComplaint': { outcome: 'complaint', reason: 'the person called it spam' },
  'Bounce SoftBounce': { outcome: 'soft_bounce', reason: 'mailbox full, server down for the moment' },
  'Bounce Transient': { outcome: 'soft_bounce', reason: 'delayed; Postmark tries again' },
  'Bounce DnsError': { outcome: 'soft_bounce', reason: 'the domain could not be looked up for now' },
  'Bounce Unknown': { outcome: 'soft_bounce', reason: 'Postmark could not tell what it was' },
  'Bounce Blocked': { outcome: 'soft_bounce', class: null, reason: 'content or reputation, not the mailbox' },
  'Bounce SpamNotification': { outcome: 'soft_bounce', class: null, reason: 'the server took the content for spam' },
  'Bounce VirusNotification': {
    outcome: 'soft_bounce',
    class: null,
    reason: 'the server took the content for a virus',
  },
  'Bounce DMARCPolicy': { outcome: 'soft_bounce', class: null, reason: 'the sender’s own policy' },
  'SubscriptionChange HardBounce': {
    outcome: 'hard_bounce',
    means: 'suppressed',
    reason: 'put on the list after a bounce',
  },
  'SubscriptionChange SpamComplaint': {
    outcome: 'complaint',
    means: 'suppressed',
    reason: 'put there after a complaint',
  },
};

const Webhook = z.object({
  RecordType: z.string().max(50),
  Type: word,
  SuppressSending: flag,
  SuppressionReason: word,
  ID: numeral,
  MessageID: word,
  Email: word,
  Recipient: word,
  DeliveredAt: instant,
  BouncedAt: instant,
  ReceivedAt: instant,
  ChangedAt: instant,
  Details: reply,
});

const meaningOf = ({ RecordType, Type, SuppressSending, SuppressionReason }: z.output<typeof Webhook>) => {
  if (RecordType === 'Bounce') return rowOf(MEANINGS, `Bounce ${Type ?? ''}`);
  if (RecordType !== 'SubscriptionChange') return rowOf(MEANINGS, RecordType);
  return SuppressSending === true ? rowOf(MEANINGS, `SubscriptionChange ${SuppressionReason ?? ''}`) : undefined;
};

/** The `Authorization` header of `user:password` (RFC 7617). */
const basicAuth = (secret: string): string => `Basic ${Buffer.from(secret).toString('base64')}`;

/** Postmark signs nothing: its webhooks contain the user and password of their URL. */
export const postmark: MailServiceAdapter = {
  verify({ headers }, secrets) {
    const given = headers.Authorization ?? null;
    if (given === null || !/^basic /i.test(given)) return refused('unsigned');
    const wanted = `Basic ${given.slice('basic '.length).trim()}`;
    return secrets.some((secret) => constantTimeEqual(wanted, basicAuth(secret))) ? ACCEPTED : refused('forged');
  },

  read(body) {
    const webhook = Webhook.safeParse(parseJson(body));
    if (!webhook.success) return null;
    const { data } = webhook;
    const meaning = meant(meaningOf(data));
    if (meaning === null) return eventsAlone([]);
    // A change of the list has the message's id too: a bounce reported twice counts once.
    const isListed = meaning.outcome === 'complaint' || meaning.outcome === 'hard_bounce';
    const name = isListed && data.MessageID !== null ? meaning.outcome : `${data.RecordType} ${data.ID ?? ''}`;
    return eventsAlone(
      eventOf(meaning, {
        id: `${data.MessageID ?? ''} ${name}`,
        email: data.Email ?? data.Recipient,
        at: data.BouncedAt ?? data.DeliveredAt ?? data.ChangedAt ?? data.ReceivedAt,
        replies: [data.Details],
      }),
    );
  },
};
