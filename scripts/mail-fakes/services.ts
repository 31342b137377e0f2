import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { MailService } from '../../src/domain/feedback/outcomes.ts';
import { selfSigned } from './certificate.ts';

/** A webhook as a service sends it. */
export interface FakeWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A mail service with a key of its own. */
export interface FakeService {
  /** What its customer gives to the connection. */
  readonly secret: string;
  /** What it sends for an event (its own JSON), at this time. */
  sign(event: object, nowMs: number): FakeWebhook;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const seconds = (ms: number): string => String(Math.floor(ms / 1_000));

function fakeSendgrid(): FakeService {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    secret: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    sign(events, nowMs) {
      const body = JSON.stringify(events);
      const time = seconds(nowMs);
      const headers = {
        ...JSON_HEADERS,
        'X-Twilio-Email-Event-Webhook-Signature': sign('sha256', Buffer.from(time + body), privateKey).toString(
          'base64',
        ),
        'X-Twilio-Email-Event-Webhook-Timestamp': time,
      };
      return { headers, body };
    },
  };
}

function fakePostmark(): FakeService {
  const secret = `postmark:${randomBytes(16).toString('hex')}`;
  return {
    secret,
    sign: (event) => ({
      headers: { ...JSON_HEADERS, Authorization: `Basic ${Buffer.from(secret).toString('base64')}` },
      body: JSON.stringify(event),
    }),
  };
}

export function fakeMailgun(): FakeService {
  const secret = randomBytes(16).toString('hex');
  return {
    secret,
    sign(event, nowMs) {
      const [timestamp, token] = [seconds(nowMs), randomBytes(25).toString('hex')];
      const signature = createHmac('sha256', secret)
        .update(timestamp + token)
        .digest('hex');
      const body = { signature: { token, timestamp, signature }, 'event-data': event };
      return { headers: JSON_HEADERS, body: JSON.stringify(body) };
    },
  };
}

function fakeResend(): FakeService {
  const key = randomBytes(24);
  return {
    secret: `whsec_${key.toString('base64')}`,
    sign(event, nowMs) {
      const body = JSON.stringify(event);
      const [id, time] = [`msg_${randomBytes(12).toString('hex')}`, seconds(nowMs)];
      const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
      const headers = { ...JSON_HEADERS, 'svix-id': id, 'svix-timestamp': time, 'svix-signature': `v1,${signature}` };
      return { headers, body };
    },
  };
}

/** Amazon SES with an SNS topic. */
export interface FakeSes extends FakeService {
  /** The certificate that it signs with, and its path at the topic’s service. */
  readonly certificate: { readonly path: string; readonly pem: string };
  /** What SNS sends first. */
  confirmation(nowMs: number): FakeWebhook;
}

const CERTIFICATE_DAYS = 30 * 86_400_000;

/** `nowMs`: the middle of the certificate's time. */
export function fakeSes(nowMs: number, version: '1' | '2' = '2'): FakeSes {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const topic = 'arn:aws:sns:eu-central-1:123456789012:mail-events';
  const host = 'https://sns.eu-central-1.amazonaws.com';
  const path = `/SimpleNotificationService-${randomBytes(16).toString('hex')}.pem`;
  const pem = selfSigned(keys, { from: nowMs - CERTIFICATE_DAYS, to: nowMs + CERTIFICATE_DAYS });
  const send = (type: string, parts: Readonly<Record<string, string>>, atMs: number): FakeWebhook => {
    const message = {
      Type: type,
      MessageId: crypto.randomUUID(),
      TopicArn: topic,
      Timestamp: new Date(atMs).toISOString(),
      ...parts,
    };
    const signed = {
      ...message,
      SignatureVersion: version,
      Signature: snsSignature(message, version, keys.privateKey),
    };
    const body = JSON.stringify({ ...signed, SigningCertURL: host + path });
    return { headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': type }, body };
  };
  return {
    secret: topic,
    certificate: { path, pem },
    sign: (event, atMs) => send('Notification', { Message: JSON.stringify(event) }, atMs),
    confirmation(atMs) {
      const Token = randomBytes(64).toString('hex');
      const SubscribeURL = `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=${Token}`;
      return send('SubscriptionConfirmation', { Message: 'You have chosen to subscribe.', Token, SubscribeURL }, atMs);
    },
  };
}

/** Amazon signs these fields, in the order of the alphabet, each on two lines. */
function snsSignature(message: Readonly<Record<string, string>>, version: '1' | '2', key: KeyObject): string {
  const fields = ['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = fields.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join('');
  return sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), key).toString('base64');
}

export const FAKES: Readonly<Record<MailService, (nowMs: number) => FakeService>> = {
  ses: (nowMs) => fakeSes(nowMs),
  sendgrid: fakeSendgrid,
  postmark: fakePostmark,
  mailgun: fakeMailgun,
  resend: fakeResend,
};
