import { randomUUID } from 'node:crypto';
import type { MailService } from '../../src/domain/feedback/outcomes.ts';

/** What can have become of a message. */
export const FAKE_EVENTS = [
  'delivered',
  'hard_bounce',
  'soft_bounce',
  'block',
  'complaint',
  'suppressed',
  'open',
  'unsubscribe',
] as const;
export type FakeEvent = (typeof FAKE_EVENTS)[number];

const UNKNOWN = '550 5.1.1 There is no such mailbox here';
const FULL = '452 4.2.2 The mailbox is full';
const BLOCKED = '550 5.7.1 The sender is blocked';

/** The part of a service's JSON that tells one event from another. */
type Shapes = Readonly<Record<FakeEvent, (email: string, iso: string) => object>>;

const SENDGRID: Shapes = {
  delivered: () => ({ event: 'delivered', response: '250 OK' }),
  hard_bounce: () => ({ event: 'bounce', type: 'bounce', status: '5.1.1', reason: UNKNOWN }),
  soft_bounce: () => ({ event: 'deferred', response: FULL, attempt: '1' }),
  block: () => ({ event: 'bounce', type: 'blocked', status: '5.7.1', reason: BLOCKED }),
  complaint: () => ({ event: 'spamreport' }),
  suppressed: () => ({ event: 'dropped', reason: 'Bounced Address' }),
  open: () => ({ event: 'open', useragent: 'Mozilla/5.0', ip: '192.0.2.1' }),
  unsubscribe: () => ({ event: 'unsubscribe' }),
};

const bounced = (type: string, sub: string, email: string, timestamp: string, reply?: string): object => ({
  eventType: 'Bounce',
  bounce: {
    bounceType: type,
    bounceSubType: sub,
    timestamp,
    bouncedRecipients: [{ emailAddress: email, ...(reply !== undefined && { diagnosticCode: `smtp; ${reply}` }) }],
  },
});
const SES: Shapes = {
  delivered: (email, timestamp) => ({ eventType: 'Delivery', delivery: { timestamp, recipients: [email] } }),
  hard_bounce: (email, at) => bounced('Permanent', 'General', email, at, UNKNOWN),
  soft_bounce: (email, at) => bounced('Transient', 'MailboxFull', email, at, FULL),
  block: (email, at) => bounced('Transient', 'ContentRejected', email, at, BLOCKED),
  complaint: (email, timestamp) => ({
    eventType: 'Complaint',
    complaint: { timestamp, complainedRecipients: [{ emailAddress: email }], complaintFeedbackType: 'abuse' },
  }),
  suppressed: (email, at) => bounced('Permanent', 'OnAccountSuppressionList', email, at),
  open: (_, timestamp) => ({ eventType: 'Open', open: { timestamp, userAgent: 'Mozilla/5.0' } }),
  unsubscribe: () => ({ eventType: 'Subscription', subscription: {} }),
};

const postmarkBounce = (Type: string, Email: string, BouncedAt: string, Details: string): object => ({
  RecordType: 'Bounce',
  ID: Math.floor(Math.random() * 1e9),
  Type,
  Email,
  BouncedAt,
  Details: `smtp;${Details}`,
});
const suppressed = (Recipient: string, ChangedAt: string, SuppressionReason: string): object => ({
  RecordType: 'SubscriptionChange',
  Recipient,
  ChangedAt,
  SuppressSending: true,
  SuppressionReason,
});
const POSTMARK: Shapes = {
  delivered: (Recipient, DeliveredAt) => ({ RecordType: 'Delivery', Recipient, DeliveredAt }),
  hard_bounce: (email, at) => postmarkBounce('HardBounce', email, at, UNKNOWN),
  soft_bounce: (email, at) => postmarkBounce('SoftBounce', email, at, FULL),
  block: (email, at) => postmarkBounce('Blocked', email, at, BLOCKED),
  complaint: (Email, BouncedAt) => ({ RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email, BouncedAt }),
  suppressed: (email, at) => suppressed(email, at, 'HardBounce'),
  open: (Recipient, ReceivedAt) => ({ RecordType: 'Open', Recipient, ReceivedAt }),
  unsubscribe: (email, at) => suppressed(email, at, 'ManualSuppression'),
};

const failed = (severity: string, reason: string, code: number, message: string): object => ({
  event: 'failed',
  severity,
  reason,
  'delivery-status': { code, message },
});
const MAILGUN: Shapes = {
  delivered: () => ({ event: 'delivered', 'delivery-status': { code: 250, message: 'OK' } }),
  hard_bounce: () => failed('permanent', 'bounce', 550, UNKNOWN.slice(4)),
  soft_bounce: () => failed('temporary', 'generic', 452, FULL.slice(4)),
  block: () => failed('permanent', 'espblock', 550, BLOCKED.slice(4)),
  complaint: () => ({ event: 'complained' }),
  suppressed: () => failed('permanent', 'suppress-bounce', 605, ''),
  open: () => ({ event: 'opened' }),
  unsubscribe: () => ({ event: 'unsubscribed' }),
};

const RESEND: Readonly<Record<FakeEvent, { readonly type: string; readonly bounce?: object }>> = {
  delivered: { type: 'email.delivered' },
  hard_bounce: { type: 'email.bounced', bounce: { type: 'Permanent', subType: 'General', diagnosticCode: [UNKNOWN] } },
  soft_bounce: { type: 'email.bounced', bounce: { type: 'Transient', subType: 'MailboxFull', diagnosticCode: [FULL] } },
  block: { type: 'email.bounced', bounce: { type: 'Transient', subType: 'ContentRejected' } },
  complaint: { type: 'email.complained' },
  suppressed: { type: 'email.suppressed' },
  open: { type: 'email.opened' },
  unsubscribe: { type: 'contact.updated' },
};

/** An event as a service writes it, of a message that was never sent. */
export function fakeEvent(service: MailService, event: FakeEvent, email: string, atMs: number): object {
  const [id, iso, seconds] = [randomUUID(), new Date(atMs).toISOString(), Math.floor(atMs / 1_000)];
  switch (service) {
    case 'sendgrid':
      return [{ email, timestamp: seconds, sg_event_id: id, ...SENDGRID[event](email, iso) }];
    case 'ses':
      return { mail: { messageId: id, destination: [email] }, ...SES[event](email, iso) };
    case 'postmark':
      return { MessageID: id, ...POSTMARK[event](email, iso) };
    case 'mailgun':
      return { id, timestamp: atMs / 1_000, recipient: email, ...MAILGUN[event](email, iso) };
    case 'resend': {
      const { type, bounce } = RESEND[event];
      return { type, created_at: iso, data: { email_id: id, to: [email], ...(bounce && { bounce }) } };
    }
  }
}
