import type { RouteId } from '../../src/contract/routes.ts';
import type { JsonSchema } from './schemas.ts';

/** What a service sends: its own format, of which this is one message. */
interface Webhook {
  readonly contentType: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
  /** Where its documentation has the rest. */
  readonly says: string;
}

const OBJECT = { type: 'object', additionalProperties: true } as const;
const ADDRESS = 'ada@example.com';

export const WEBHOOKS: Readonly<Partial<Record<RouteId, Webhook>>> = {
  stripeWebhook: {
    contentType: 'application/json',
    schema: OBJECT,
    example: { id: 'evt_1', object: 'event', type: 'invoice.paid', created: 1_795_000_000, data: { object: {} } },
    says: 'One of Stripe’s events, as its documentation has them.',
  },
  sesWebhook: {
    contentType: 'text/plain',
    schema: { type: 'string' },
    example: JSON.stringify({ Type: 'Notification', MessageId: '22b80b92', Message: '{"eventType":"Bounce"}' }),
    says: 'A message of Amazon SNS: JSON, sent as text.',
  },
  sendgridWebhook: {
    contentType: 'application/json',
    schema: { type: 'array', items: OBJECT },
    example: [{ event: 'bounce', email: ADDRESS, timestamp: 1_795_000_000, sg_event_id: 'ZXZlbnQ', status: '5.1.1' }],
    says: 'A batch of SendGrid’s events.',
  },
  postmarkWebhook: {
    contentType: 'application/json',
    schema: OBJECT,
    example: { RecordType: 'Bounce', Type: 'HardBounce', Email: ADDRESS, BouncedAt: '2026-11-18T09:46:40Z' },
    says: 'One of Postmark’s webhooks.',
  },
  mailgunWebhook: {
    contentType: 'application/json',
    schema: OBJECT,
    example: {
      signature: { timestamp: '1795000000', token: 'a1b2', signature: 'c3d4' },
      'event-data': { event: 'failed', severity: 'permanent', recipient: ADDRESS },
    },
    says: 'One of Mailgun’s webhooks.',
  },
  resendWebhook: {
    contentType: 'application/json',
    schema: OBJECT,
    example: { type: 'email.bounced', created_at: '2026-11-18T09:46:40Z', data: { to: [ADDRESS] } },
    says: 'One of Resend’s webhooks.',
  },
};
