import type { ConnectionKind } from '../../api/schema.ts';

export interface Service {
  readonly name: string;
  /** What the service reports. */
  readonly tells: string;
  /** Steps before connecting; they end with the secret. */
  readonly before: readonly string[];
  readonly secret: { readonly label: string; readonly placeholder: string };
  readonly after: readonly string[];
  /** A secret that we make: for the service to use, or until the service shows its own. */
  readonly makeSecret?: () => string;
  /** The service shows its secret only after it has the URL, so the connection is made first. */
  readonly secretComesLater?: true;
}

const random = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Setup steps of each service, as in `docs/mail-services/`. */
export const SERVICES: Readonly<Record<ConnectionKind, Service>> = {
  ses: {
    name: 'Amazon SES',
    tells: 'Deliveries, bounces, complaints',
    before: [
      'In SNS create a Standard topic in the region of SES, and set its signature version to 2.',
      'Copy the topic’s ARN.',
    ],
    secret: { label: 'ARN of the topic', placeholder: 'arn:aws:sns:eu-central-1:123456789012:mail-events' },
    after: [
      'In the topic create a subscription: protocol HTTPS, this address as endpoint, raw message delivery off. It is confirmed by itself.',
      'In SES open the configuration set that you send with. Under Event destinations add the topic, with Deliveries, Hard bounces, Complaints and Delivery delays.',
    ],
  },
  sendgrid: {
    name: 'SendGrid',
    tells: 'Deliveries, bounces, complaints',
    before: [
      'Open Settings → Mail Settings → Event Webhooks and create a webhook. Leave the Post URL open for now.',
      'Under Security features switch on Signed Event Webhook. It shows a Verification Key: copy it.',
    ],
    secret: { label: 'Verification key', placeholder: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…' },
    after: [
      'Paste this address as Post URL.',
      'Choose Delivered, Deferred, Bounced, Dropped and Spam Reports. Opened and Clicked may be on.',
      'Save, and press Test Your Integration.',
    ],
  },
  postmark: {
    name: 'Postmark',
    tells: 'Deliveries, bounces, complaints',
    before: [
      'Postmark does not sign its webhooks. It sends a user name and a password of your choice: these are random ones.',
      'Copy it now. It is not shown again.',
    ],
    secret: { label: 'User and password', placeholder: 'postmark:a-long-password' },
    after: [
      'In Postmark open Server → Message Stream → Webhooks → Add webhook, and paste this address as Webhook URL.',
      'Under Basic auth credentials enter the user (before the colon) and the password (behind it).',
      'Choose Delivery, Bounce and Spam complaint. Leave Include bounce content and Include content off.',
      'Save, and send a test of a bounce. Repeat this for each message stream.',
    ],
    makeSecret: () => `postmark:${random()}`,
  },
  mailgun: {
    name: 'Mailgun',
    tells: 'Deliveries, bounces, complaints',
    before: ['Open Sending → Webhooks and copy the HTTP webhook signing key.'],
    secret: { label: 'HTTP webhook signing key', placeholder: 'key-…' },
    after: [
      'Add a webhook with this address for Delivered Messages, Permanent Failure, Temporary Failure and Spam Complaints.',
      'Test it. Repeat this for each domain: one connection serves all of them.',
    ],
  },
  resend: {
    name: 'Resend',
    tells: 'Deliveries, bounces, complaints',
    before: [
      'Resend wants the address first, and shows its secret after. So connect it here, and bring the secret then.',
    ],
    secret: { label: 'Signing secret', placeholder: 'whsec_…' },
    after: [
      'In Resend open Webhooks → Add Webhook, and paste this address as Endpoint URL.',
      'Choose email.delivered, email.bounced, email.complained, email.delivery_delayed and email.suppressed.',
      'Copy the Signing Secret that Resend shows, and give it to this connection.',
    ],
    makeSecret: () => `whsec_${random()}`,
    secretComesLater: true,
  },
  stripe: {
    name: 'Stripe',
    tells: 'Who subscribes, upgrades, leaves or is refunded',
    before: [
      'Stripe wants the address first, and shows its secret after. So connect it here, and bring the secret then.',
    ],
    secret: { label: 'Signing secret', placeholder: 'whsec_…' },
    after: [
      'In Stripe open Developers → Webhooks and add an endpoint with this address.',
      'Choose invoice.paid, customer.subscription.updated, customer.subscription.deleted, charge.succeeded, charge.refunded, charge.dispute.created, radar.early_fraud_warning.created and customer.created.',
      'Reveal the Signing secret of the endpoint, and give it to this connection.',
    ],
    makeSecret: () => `whsec_${random()}`,
    secretComesLater: true,
  },
};

export const KINDS = Object.keys(SERVICES) as ConnectionKind[];
