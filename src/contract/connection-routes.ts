import { BODY_LIMIT } from './common.ts';
import * as connections from './connections.ts';
import { WebhookParams, WebhookReceipt } from './feedback.ts';
import { Done } from './operator.ts';
import type { RouteDeclaration } from './route.ts';

const WEBHOOK = { method: 'post', access: 'public', meter: null, rate: 'read', params: WebhookParams } as const;
const MAIL_RECEIPT = { status: 200, schema: connections.MailWebhookReceipt } as const;
const OWN = { access: 'admin', live: true, meter: null, rate: 'read' } as const;

/** Connections of an account, and where their services send webhooks. */
export const CONNECTION_ROUTES = {
  ownConnections: {
    ...OWN,
    method: 'get',
    path: '/v1/connections',
    summary: 'The account’s connections, newest first, and what came through them.',
    response: { status: 200, schema: connections.OwnConnectionList },
  },
  createOwnConnection: {
    ...OWN,
    method: 'post',
    path: '/v1/connections',
    summary: 'Connects a mail service or a payment processor, whose webhooks become outcomes or events.',
    body: {
      schema: connections.CreateOwnConnection,
      limitBytes: BODY_LIMIT.address,
      example: { kind: 'resend', secret: 'whsec_ExampleOfASecret' },
    },
    response: { status: 201, schema: connections.OwnConnectionResponse },
  },
  changeOwnConnection: {
    ...OWN,
    method: 'patch',
    path: '/v1/connections/:id',
    summary: 'Gives a connection a new secret; the one before stays good until the next.',
    params: connections.OwnConnectionParams,
    body: {
      schema: connections.ChangeOwnConnection,
      limitBytes: BODY_LIMIT.address,
      example: { secret: 'whsec_ExampleOfASecretThatIsNew' },
    },
    response: { status: 200, schema: connections.OwnConnectionResponse },
  },
  deleteOwnConnection: {
    ...OWN,
    method: 'delete',
    path: '/v1/connections/:id',
    summary: 'Disconnects a service; what it has reported stays.',
    params: connections.OwnConnectionParams,
    response: { status: 200, schema: Done },
  },
  stripeWebhook: {
    ...WEBHOOK,
    path: '/integrations/stripe/:connection_id',
    summary: 'Where Stripe sends its webhooks, signed.',
    signed: { headers: ['Stripe-Signature'], limitBytes: BODY_LIMIT.document },
    response: { status: 200, schema: WebhookReceipt },
  },
  sesWebhook: {
    ...WEBHOOK,
    path: '/integrations/ses/:connection_id',
    summary: 'Where an SNS topic sends Amazon SES’ notifications, signed.',
    signed: { headers: [], limitBytes: BODY_LIMIT.webhook },
    response: MAIL_RECEIPT,
  },
  sendgridWebhook: {
    ...WEBHOOK,
    path: '/integrations/sendgrid/:connection_id',
    summary: 'Where SendGrid’s event webhook sends its batches, signed.',
    signed: {
      headers: ['X-Twilio-Email-Event-Webhook-Signature', 'X-Twilio-Email-Event-Webhook-Timestamp'],
      limitBytes: BODY_LIMIT.webhook,
    },
    response: MAIL_RECEIPT,
  },
  postmarkWebhook: {
    ...WEBHOOK,
    path: '/integrations/postmark/:connection_id',
    summary: 'Where Postmark sends its webhooks, with basic authentication.',
    signed: { headers: ['Authorization'], limitBytes: BODY_LIMIT.webhook },
    response: MAIL_RECEIPT,
  },
  mailgunWebhook: {
    ...WEBHOOK,
    path: '/integrations/mailgun/:connection_id',
    summary: 'Where Mailgun sends its webhooks, signed in the body.',
    signed: { headers: [], limitBytes: BODY_LIMIT.webhook },
    response: MAIL_RECEIPT,
  },
  resendWebhook: {
    ...WEBHOOK,
    path: '/integrations/resend/:connection_id',
    summary: 'Where Resend sends its webhooks, signed by Svix.',
    signed: { headers: ['svix-id', 'svix-timestamp', 'svix-signature'], limitBytes: BODY_LIMIT.webhook },
    response: MAIL_RECEIPT,
  },
} as const satisfies Record<string, RouteDeclaration>;
