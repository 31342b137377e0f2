import QuickLRU from 'quick-lru';
import * as z from 'zod';
import { DAY_MS, MINUTE_MS, pause } from '../../kernel/clock.ts';
import { isSignatureOf, type PublicKey, readCertificate } from '../../kernel/crypto.ts';
import { exchange, type Fetch, parseJson } from '../exchange.ts';
import { ACCEPTED, refused, type Verified } from './adapter.ts';

/** A message's own time stays the same while SNS repeats it. */
const TOLERANCE_MS = DAY_MS;

const text = z.string().max(2_000);
/** An SNS message. Message and Subject are the publisher's text. */
export const SnsMessage = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: text,
  TopicArn: text,
  Message: z.string(),
  Timestamp: text,
  SignatureVersion: z.enum(['1', '2']),
  Signature: text,
  SigningCertURL: text,
  Subject: z.string().nullish(),
  Token: text.optional(),
  SubscribeURL: text.optional(),
});
export type SnsMessage = z.output<typeof SnsMessage>;

const SIGNED = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const satisfies Record<SnsMessage['Type'], readonly (keyof SnsMessage)[]>;

const HASHES = { '1': 'sha1', '2': 'sha256' } as const satisfies Record<SnsMessage['SignatureVersion'], string>;

const signedLines = (name: string, value: string | null | undefined): string[] =>
  typeof value === 'string' ? [`${name}\n${value}\n`] : [];

const signedText = (message: SnsMessage): string =>
  SIGNED[message.Type].flatMap((name) => signedLines(name, message[name])).join('');

/** The host suffix of each partition's regions. */
const SUFFIXES: Readonly<Record<string, string>> = {
  aws: 'amazonaws.com',
  'aws-us-gov': 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
  'aws-eusc': 'amazonaws.eu',
};

/** The host of the service that has a topic, derived from the topic's name. */
function endpointOf(topicArn: string): string | null {
  const [, partition = '', service, region = ''] = topicArn.split(':', 6);
  const suffix = Object.hasOwn(SUFFIXES, partition) ? SUFFIXES[partition] : undefined;
  if (service !== 'sns' || suffix === undefined || !/^[a-z0-9-]{4,32}$/.test(region)) return null;
  return `https://sns.${region}.${suffix}`;
}

const CERTIFICATE_PATH = /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/;
const FETCH_MS = 3_000;
const CERTIFICATE_BYTES_MAX = 16_384;
/** Limits fetches, which invented names of certificates would otherwise cause without end. */
const FETCHES_PER_MINUTE = 6;
/** Requests can't share a promise in the runtime: one that may not fetch polls for another one's result. */
const LOOK_MS = 50;

export interface SnsSettings {
  readonly fetch: Fetch;
  /** In place of Amazon's scheme and host. */
  readonly baseUrl: string | null;
}

/** Proves that a message comes from a topic. Asks no host but the topic's own service. */
export class SnsVerifier {
  private readonly settings: SnsSettings;
  private readonly keys = new QuickLRU<string, PublicKey>({ maxSize: 20, maxAge: DAY_MS });
  private readonly asking = new Set<string>();
  private fetched = { minute: 0, count: 0 };

  constructor(settings: SnsSettings) {
    this.settings = settings;
  }

  async verify(body: string, topics: readonly string[], nowMs: number): Promise<Verified> {
    const { data: message } = SnsMessage.safeParse(parseJson(body));
    if (message === undefined) return refused('unsigned');
    const endpoint = topics.includes(message.TopicArn) ? endpointOf(message.TopicArn) : null;
    if (endpoint === null) return refused('forged');
    const { SigningCertURL: url } = message;
    if (!url.startsWith(`${endpoint}/`) || !CERTIFICATE_PATH.test(url.slice(endpoint.length))) return refused('forged');
    const at = Date.parse(message.Timestamp);
    if (!(Math.abs(nowMs - at) <= TOLERANCE_MS)) return refused('out_of_time');
    const key = await this.keyAt(this.placeOf(endpoint) + url.slice(endpoint.length), nowMs);
    if (key === null) return refused('unavailable');
    const isSigned = isSignatureOf(key, HASHES[message.SignatureVersion], signedText(message), message.Signature);
    return isSigned ? ACCEPTED : refused('forged');
  }

  /** The URL that confirms a subscription: made of the message's signed parts, not of the URL it contains. */
  confirmation({ TopicArn, Token = '' }: SnsMessage): string | null {
    const endpoint = endpointOf(TopicArn);
    if (endpoint === null) return null;
    const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn, Token });
    return `${this.placeOf(endpoint)}/?${query.toString()}`;
  }

  private placeOf(endpoint: string): string {
    return this.settings.baseUrl ?? endpoint;
  }

  private async keyAt(url: string, nowMs: number): Promise<PublicKey | null> {
    const known = this.keys.get(url);
    if (known !== undefined) return known;
    const minute = Math.floor(nowMs / MINUTE_MS);
    this.fetched = { minute, count: this.fetched.minute === minute ? this.fetched.count + 1 : 1 };
    if (this.fetched.count > FETCHES_PER_MINUTE) return this.awaited(url);
    this.asking.add(url);
    try {
      const question = { url, headers: {}, body: undefined, replyBytesMax: CERTIFICATE_BYTES_MAX };
      const answer = await exchange(this.settings.fetch, question, (status) => status === 200, FETCH_MS);
      const key = answer.ok && answer.status === 200 ? readCertificate(answer.text, nowMs) : null;
      if (key !== null) this.keys.set(url, key);
      return key;
    } finally {
      this.asking.delete(url);
    }
  }

  /** The key that another request is fetching: a cold isolate may meet a burst of messages. */
  private async awaited(url: string): Promise<PublicKey | null> {
    for (let waitedMs = 0; waitedMs < FETCH_MS && this.asking.has(url); waitedMs += LOOK_MS) await pause(LOOK_MS);
    return this.keys.get(url) ?? null;
  }
}
