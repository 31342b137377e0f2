import * as z from 'zod';
import { EpochSeconds } from './common.ts';

/** What sends its webhooks to an account: its payment processor, and its mail services. */

export const ConnectionKind = z
  .enum(['stripe', 'ses', 'sendgrid', 'postmark', 'mailgun', 'resend'])
  .describe('The service that reports.');
export type ConnectionKind = z.infer<typeof ConnectionKind>;

/** The form of each service's secret, in words for who pastes it. */
const SECRET_FORMS: Readonly<Record<ConnectionKind, { readonly pattern: RegExp; readonly words: string }>> = {
  stripe: { pattern: /^whsec_[\x21-\x7e]{8,256}$/, words: 'the endpoint’s signing secret (`whsec_…`)' },
  resend: { pattern: /^whsec_[A-Za-z0-9+/]{16,256}={0,2}$/, words: 'the webhook’s signing secret (`whsec_…`)' },
  // A P-256 key as SPKI: its first 27 bytes are always the same.
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
      'What the service shows or is given: `whsec_…` of Stripe and Resend, SendGrid’s verification key, Mailgun’s signing key, `user:password` for Postmark, the topic’s ARN for SES. Kept encrypted, never shown.',
    ),
  })
  .superRefine(({ kind, secret }, context) => {
    const fault = secretFault(kind, secret);
    if (fault !== null) context.addIssue({ code: 'custom', path: ['secret'], message: fault });
  });
export const ChangeOwnConnection = z.object({
  secret: Secret.describe('The new secret; the one before stays good until the next change.'),
});

const OwnConnection = z.object({
  id: z.string().describe('Names the connection in paths.'),
  kind: ConnectionKind,
  url: z.string().describe('Where the service sends its webhooks; the path alone where `PUBLIC_URL` is not set.'),
});
export const OwnConnectionResponse = z.object({ connection: OwnConnection.describe('The connection.') });

const Activity = z.object({
  created_at: EpochSeconds,
  last_event_at: EpochSeconds.nullable().describe('When the newest event of the last 30 days came; null: none came.'),
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
