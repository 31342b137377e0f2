import * as z from 'zod';
import type { MailEvent } from '../../domain/feedback/outcomes.ts';
import { block, parseJson, rowOf } from '../exchange.ts';
import {
  blocks,
  eventOf,
  eventsAlone,
  instant,
  type MailServiceAdapter,
  type MeaningRow,
  meant,
  reply,
  word,
  words,
} from './adapter.ts';
import { SnsMessage, type SnsSettings, SnsVerifier } from './sns.ts';

/** By event; a bounce by type and, if it has a row, subtype; a delay by its type. */
const MEANINGS: Readonly<Record<string, MeaningRow>> = {
  Delivery: { outcome: 'delivered', reason: 'the server has taken it' },
  Open: { outcome: 'delivered', means: 'seen', reason: 'scanners fetch pictures too' },
  Click: { outcome: 'delivered', means: 'seen', reason: 'scanners follow links too' },
  Complaint: { outcome: 'complaint', reason: 'the person called it spam' },
  'Complaint OnAccountSuppressionList': { outcome: 'complaint', means: 'suppressed', reason: 'it complained before' },
  'Complaint not-spam': { outcome: null, reason: 'the person took the message out of the spam folder' },
  'Bounce Permanent': { outcome: 'hard_bounce', reason: 'refused for good' },
  'Bounce Permanent NoEmail': { outcome: 'hard_bounce', class: 'user_unknown', reason: 'the mailbox does not exist' },
  'Bounce Permanent Suppressed': {
    outcome: 'hard_bounce',
    means: 'suppressed',
    reason: 'it bounced before, for Amazon’s customers',
  },
  'Bounce Permanent OnAccountSuppressionList': {
    outcome: 'hard_bounce',
    means: 'suppressed',
    reason: 'it bounced before',
  },
  'Bounce Permanent UnsubscribedRecipient': { outcome: null, reason: 'nothing about the mailbox' },
  'Bounce Transient': { outcome: 'soft_bounce', reason: 'given up after a failure that may pass' },
  'Bounce Transient MailboxFull': { outcome: 'soft_bounce', class: 'full', reason: 'the mailbox is full' },
  'Bounce Transient ContentRejected': { outcome: 'soft_bounce', class: null, reason: 'the server refused the content' },
  'Bounce Transient AttachmentRejected': {
    outcome: 'soft_bounce',
    class: null,
    reason: 'the server refused an attachment',
  },
  'Bounce Transient MessageTooLarge': { outcome: 'soft_bounce', class: null, reason: 'the message is too large' },
  'Bounce Undetermined': { outcome: 'soft_bounce', reason: 'Amazon could not tell why' },
  DeliveryDelay: { outcome: 'soft_bounce', reason: 'Amazon tries again' },
  'DeliveryDelay MailboxFull': { outcome: 'soft_bounce', class: 'full', reason: 'the mailbox is full' },
};

const Notification = z.object({
  // Event publishing has the first, a verified identity's own notifications the second.
  eventType: word,
  notificationType: word,
  mail: block({ messageId: word, destination: words }),
  bounce: block({
    bounceType: word,
    bounceSubType: word,
    timestamp: instant,
    bouncedRecipients: blocks({ emailAddress: word, status: word, diagnosticCode: reply }),
  }),
  complaint: block({
    complaintSubType: word,
    complaintFeedbackType: word,
    timestamp: instant,
    complainedRecipients: blocks({ emailAddress: word }),
  }),
  delivery: block({ timestamp: instant, recipients: words }),
  deliveryDelay: block({
    delayType: word,
    timestamp: instant,
    delayedRecipients: blocks({ emailAddress: word, status: word, diagnosticCode: reply }),
  }),
  open: block({ timestamp: instant }),
  click: block({ timestamp: instant }),
});
type Notification = z.output<typeof Notification>;

interface Recipient {
  readonly emailAddress: string | null;
  readonly status?: string | null;
  readonly diagnosticCode?: string | null;
}

/** The names that choose a notification's row, most exact first; its time; its people. */
interface Told {
  readonly names: readonly string[];
  readonly at: number | null;
  readonly recipients: readonly (Recipient | null)[];
}

const plain = (addresses: readonly (string | null)[] = []): Recipient[] =>
  addresses.map((emailAddress) => ({ emailAddress }));

function toldBy({
  eventType,
  notificationType,
  mail,
  bounce,
  complaint,
  delivery,
  deliveryDelay,
  open,
  click,
}: Notification): Told | null {
  const type = eventType ?? notificationType ?? '';
  // Of several people it is not said which one.
  const lone = <T>(people: readonly T[]): readonly T[] => (people.length === 1 ? people : []);
  switch (type) {
    case 'Bounce': {
      const kind = `Bounce ${bounce?.bounceType ?? ''}`;
      return {
        names: [`${kind} ${bounce?.bounceSubType ?? ''}`, kind],
        at: bounce?.timestamp ?? null,
        recipients: bounce?.bouncedRecipients ?? [],
      };
    }
    case 'Complaint': {
      const {
        complaintSubType = null,
        complaintFeedbackType = null,
        timestamp: at = null,
        complainedRecipients = [],
      } = complaint ?? {};
      const names = [`Complaint ${complaintSubType ?? ''}`, `Complaint ${complaintFeedbackType ?? ''}`, 'Complaint'];
      return { names, at, recipients: lone(complainedRecipients) };
    }
    case 'Delivery':
      return { names: ['Delivery'], at: delivery?.timestamp ?? null, recipients: plain(delivery?.recipients) };
    case 'DeliveryDelay': {
      const { delayType = null, timestamp: at = null, delayedRecipients = [] } = deliveryDelay ?? {};
      return { names: [`DeliveryDelay ${delayType ?? ''}`, 'DeliveryDelay'], at, recipients: delayedRecipients };
    }
    case 'Open':
    case 'Click': {
      const at = (type === 'Open' ? open : click)?.timestamp ?? null;
      return { names: [type], at, recipients: lone(plain(mail?.destination)) };
    }
    default:
      return null;
  }
}

function eventsOf(notification: Notification): MailEvent[] {
  const told = toldBy(notification);
  const row = told?.names.map((name) => rowOf(MEANINGS, name)).find((each) => each !== undefined);
  const meaning = meant(row);
  if (told === null || meaning === null) return [];
  const {
    at,
    recipients,
    names: [name = ''],
  } = told;
  return recipients.flatMap((recipient) =>
    eventOf(meaning, {
      // The same in both of Amazon's forms, whatever SNS's own message id. The address distinguishes recipients.
      id: `${notification.mail?.messageId ?? ''} ${name} ${at}`,
      email: recipient?.emailAddress ?? null,
      at,
      replies: [recipient?.diagnosticCode, recipient?.status],
    }),
  );
}

/** Amazon SES, through an SNS topic whose ARN is the connection's secret. */
export function createSes(settings: SnsSettings): MailServiceAdapter {
  const sns = new SnsVerifier(settings);
  return {
    verify: ({ body }, topics, nowMs) => sns.verify(body, topics, nowMs),

    read(body) {
      const { data: message } = SnsMessage.safeParse(parseJson(body));
      if (message === undefined) return null;
      if (message.Type === 'SubscriptionConfirmation') return { events: [], confirm: sns.confirmation(message) };
      // SES also publishes a sentence to test its permission.
      const { data: notification } = Notification.safeParse(parseJson(message.Message));
      return eventsAlone(notification === undefined ? [] : eventsOf(notification));
    },
  };
}
