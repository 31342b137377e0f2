import * as z from 'zod';
import { bodyOf, BODY_LIMIT, Done, EpochSeconds } from './common.ts';
import { WebhookParams, WebhookReceipt } from './feedback.ts';
import { admin, open, type Path, type RouteDeclaration } from './route.ts';

/** Senders of webhooks to an account: its payment processor, and its mail services. */

export const ConnectionKind = z
  .enum(['stripe', 'ses', 'sendgrid', 'postmark', 'mailgun', 'resend'])
  .describe('The service that reports.');
export type ConnectionKind = z.infer<typeof ConnectionKind>;

/** The form of each service's secret, in words for whoever pastes it. */
const SECRET_FORMS: Readonly<Record<ConnectionKind, { readonly pattern: RegExp; readonly words: string }>> = {
  stripe: { pattern: /^whsec_[\x21-\x7e]{8,256}$/, words: 'the endpoint’s signing secret (`whsec_…`)' },
  resend: { pattern: /^whsec_[A-Za-z0-9+/]{16,256}={0,2}$/, words: 'the webhook’s signing secret (`whsec_…`)' },
  // A P-256 key as SPKI, whose first 27 bytes are constant.
  sendgrid: {
    pattern: /^MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9+/]{86}==$/,
    words: 'the verification key of the signed event webhook (base64)',
  },
  mailgun: { pattern: /^[\x21-\x7e]{16,128}$/, words: 'the HTTP webhook signing key' },
  postmark: {
    pattern: /^[\x21-\x39\x3b-\x7e]{1,100}:[\x21-\x7e]{12,200}$/,
    words: '`user:password` of the webhook’s basic authentication, the password of 12 or more characters',
  },
  ses: {
    pattern: /^arn:aws(?:-cn|-us-gov|-eusc)?:sns:[a-z0-9-]{4,32}:\d{12}:[A-Za-z0-9_-]{1,256}$/,
    words: 'the ARN of the SNS topic',
  },
};

export const secretFault = (kind: ConnectionKind, secret: string): string | null =>
  SECRET_FORMS[kind].pattern.test(secret) ? null : `must be ${SECRET_FORMS[kind].words}`;

const Secret = z.string().min(1).max(512);

export const CreateOwnConnection = z
  .object({
    kind: ConnectionKind,
    secret: Secret.describe(
      'The service’s secret: `whsec_…` of Stripe and Resend, SendGrid’s verification key, Mailgun’s signing key, `user:password` for Postmark, the topic’s ARN for SES. Stored encrypted, never shown.',
    ),
  })
  .superRefine(({ kind, secret }, context) => {
    const fault = secretFault(kind, secret);
    if (fault !== null) context.addIssue({ code: 'custom', path: ['secret'], message: fault });
  });
export const ChangeOwnConnection = z.object({
  secret: Secret.describe('The new secret; the one before stays good for an hour.'),
});

const OwnConnection = z.object({
  id: z.string().describe('Names the connection in paths.'),
  kind: ConnectionKind,
  url: z.string().describe('The URL for the service’s webhooks; only the path if `PUBLIC_URL` is not set.'),
});
export const OwnConnectionResponse = z.object({ connection: OwnConnection.describe('The connection.') });

const Activity = z.object({
  created_at: EpochSeconds,
  last_event_at: EpochSeconds.nullable().describe('When the newest event of the last 30 days came; null without one.'),
  events: z
    .record(z.string(), z.number().int())
    .describe(
      'Events of the last 30 days by what they mean (`delivered`, `hard_bounce`, `subscribed` …). One that is sent again counts once.',
    ),
  refused: z
    .number()
    .int()
    .describe('Webhooks with a bad or missing signature since the connection was made, counted a minute late.'),
});
export const OwnConnectionList = z.object({
  connections: z.array(OwnConnection.extend(Activity.shape)).describe('Newest first.'),
});
export const OwnConnectionParams = z.object({ id: z.string().describe('The connection, as the list names it.') });

export const MailWebhookReceipt = z.object({
  accepted: z.number().int().describe('Events taken, those among them that came before.'),
});

const webhook = <const P extends Path>(path: P) => ({ ...open('post', path), params: WebhookParams }) as const;
const MAIL_RECEIPT = { status: 200, schema: MailWebhookReceipt } as const;

/** Connections of an account, and where their services send webhooks. */
export const CONNECTION_ROUTES = {
  ownConnections: {
    ...admin('get', '/v1/connections'),
    summary: 'The account’s connections, newest first, and what came through them.',
    response: { status: 200, schema: OwnConnectionList },
  },
  createOwnConnection: {
    ...admin('post', '/v1/connections'),
    summary: 'Connects a mail service or a payment processor, whose webhooks become outcomes or events.',
    body: bodyOf(CreateOwnConnection, 'address', { kind: 'resend', secret: 'whsec_ExampleOfASecret' }),
    response: { status: 201, schema: OwnConnectionResponse },
  },
  changeOwnConnection: {
    ...admin('patch', '/v1/connections/:id'),
    summary: 'Gives a connection a new secret; the one before stays good for an hour.',
    params: OwnConnectionParams,
    body: bodyOf(ChangeOwnConnection, 'address', { secret: 'whsec_ExampleOfASecretThatIsNew' }),
    response: { status: 200, schema: OwnConnectionResponse },
  },
  deleteOwnConnection: {
    ...admin('delete', '/v1/connections/:id'),
    summary: 'Disconnects a service; what it has reported stays.',
    params: OwnConnectionParams,
    response: { status: 200, schema: Done },
  },
  stripeWebhook: {
    ...webhook('/integrations/stripe/:connection_id'),
    summary: 'Receives Stripe’s signed webhooks.',
    signed: { headers: ['Stripe-Signature'], limitBytes: BODY_LIMIT.document },
    response: { status: 200, schema: WebhookReceipt },
  },
  sesWebhook: {
    ...webhook('/integrations/ses/:connection_id'),
    summary: 'Receives Amazon SES’ notifications, signed by an SNS topic.',
    signed: { headers: [], limitBytes: BODY_LIMIT.webhook },
    response: MAIL_RECEIPT,
  },
  sendgridWebhook: {
    ...webhook('/integrations/sendgrid/:connection_id'),
    summary: 'Receives the signed batches of SendGrid’s event webhook.',
    signed: {
      headers: ['X-Twilio-Email-Event-Webhook-Signature', 'X-Twilio-Email-Event-Webhook-Timestamp'],
      limitBytes: BODY_LIMIT.webhook,
    },
    response: MAIL_RECEIPT,
  },
  postmarkWebhook: {
    ...webhook('/integrations/postmark/:connection_id'),
    summary: 'Receives Postmark’s webhooks, with basic authentication.',
    signed: { headers: ['Authorization'], limitBytes: BODY_LIMIT.webhook },
    response: MAIL_RECEIPT,
  },
  mailgunWebhook: {
    ...webhook('/integrations/mailgun/:connection_id'),
    summary: 'Receives Mailgun’s webhooks, signed in the body.',
    signed: { headers: [], limitBytes: BODY_LIMIT.webhook },
    response: MAIL_RECEIPT,
  },
  resendWebhook: {
    ...webhook('/integrations/resend/:connection_id'),
    summary: 'Receives Resend’s webhooks, signed by Svix.',
    signed: { headers: ['svix-id', 'svix-timestamp', 'svix-signature'], limitBytes: BODY_LIMIT.webhook },
    response: MAIL_RECEIPT,
  },
} as const satisfies Record<string, RouteDeclaration>;
