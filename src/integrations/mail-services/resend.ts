import * as z from 'zod';
import { SECOND_MS } from '../../kernel/clock.ts';
import { constantTimeEqual, hmacBase64 } from '../../kernel/crypto.ts';
import { block, parseJson, rowOf } from '../exchange.ts';
import {
  ACCEPTED,
  addressIn,
  eventOf,
  eventsAlone,
  instant,
  type MailServiceAdapter,
  type MeaningRow,
  meant,
  refused,
  reply,
  secondsOf,
  word,
  words,
} from './adapter.ts';

/** Svix signs each attempt again; the tolerance is for clocks. */
const TOLERANCE_MS = 300 * SECOND_MS;

/** By `type`; a bounce by its `type` and, if that has a row, its `subType`. */
const MEANINGS: Readonly<Record<string, MeaningRow>> = {
  'email.delivered': { outcome: 'delivered', reason: 'the server has taken it' },
  'email.delivery_delayed': { outcome: 'soft_bounce', reason: 'Resend tries again' },
  'email.complained': { outcome: 'complaint', reason: 'the person called it spam' },
  'email.opened': { outcome: 'delivered', means: 'seen', reason: 'scanners fetch pictures too' },
  'email.clicked': { outcome: 'delivered', means: 'seen', reason: 'scanners follow links too' },
  'email.suppressed': { outcome: 'hard_bounce', means: 'suppressed', reason: 'it bounced or complained before' },
  'email.bounced': { outcome: 'hard_bounce', reason: 'refused for good; webhooks of before 2025 have no type' },
  'email.bounced Transient': { outcome: 'soft_bounce', reason: 'given up after a failure that may pass' },
  'email.bounced Transient MailboxFull': { outcome: 'soft_bounce', class: 'full', reason: 'the mailbox is full' },
  'email.bounced Transient ContentRejected': {
    outcome: 'soft_bounce',
    class: null,
    reason: 'the server refused the content',
  },
  'email.bounced Transient AttachmentRejected': {
    outcome: 'soft_bounce',
    class: null,
    reason: 'the server refused an attachment',
  },
  'email.bounced Transient MessageTooLarge': {
    outcome: 'soft_bounce',
    class: null,
    reason: 'the message is too large',
  },
  'email.bounced Undetermined': { outcome: 'soft_bounce', reason: 'the reason is unknown' },
  'email.bounced Permanent NoEmail': {
    outcome: 'hard_bounce',
    class: 'user_unknown',
    reason: 'the mailbox does not exist',
  },
  'email.bounced Permanent Suppressed': { outcome: 'hard_bounce', means: 'suppressed', reason: 'it bounced before' },
  'email.bounced Permanent OnAccountSuppressionList': {
    outcome: 'hard_bounce',
    means: 'suppressed',
    reason: 'it bounced or complained before',
  },
};

const Webhook = z.object({
  type: z.string().max(100),
  created_at: instant,
  data: block({
    email_id: word,
    to: words,
    bounce: block({ type: word, subType: word, message: reply, diagnosticCode: z.array(reply).nullable().catch(null) }),
  }),
});
type Read = z.output<typeof Webhook>;

function meaningOf({ type, data }: Read): MeaningRow | undefined {
  const bounce = type === 'email.bounced' ? data?.bounce : null;
  const byType = `${type} ${bounce?.type ?? ''}`;
  return (
    (bounce ? (rowOf(MEANINGS, `${byType} ${bounce.subType ?? ''}`) ?? rowOf(MEANINGS, byType)) : undefined) ??
    rowOf(MEANINGS, type)
  );
}

/**
 * The event's person. A message to several people has one event for all, which does not say whose it is
 * (https://github.com/resend/resend-python/issues/68); only a server's reply may name one of them.
 */
function personOf(to: readonly (string | null)[], replies: readonly (string | null | undefined)[]): string | null {
  const people = to.map(addressIn);
  if (people.length <= 1) return people[0] ?? null;
  const named = new Set(replies.flatMap((text) => text?.toLowerCase().split(/[\s<>()[\];,:"']+/) ?? []));
  const [person = null, ...others] = people.filter((email) => email !== null && named.has(email.toLowerCase()));
  return others.length === 0 ? person : null;
}

/** Svix: HMAC-SHA-256 of id, time and body, in base64; several signatures while a secret is changed. */
export const resend: MailServiceAdapter = {
  verify({ headers, body }, secrets, nowMs) {
    const { 'svix-id': id = null, 'svix-timestamp': time = null, 'svix-signature': signatures = null } = headers;
    const seconds = secondsOf(time);
    if (id === null || seconds === null || signatures === null) return refused('unsigned');
    const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice('v1,'.length)] : []));
    const expected = secrets.map((secret) =>
      hmacBase64(Buffer.from(secret.slice('whsec_'.length), 'base64'), `${id}.${time}.${body}`),
    );
    if (!given.some((each) => expected.some((one) => constantTimeEqual(each, one)))) return refused('forged');
    return Math.abs(nowMs - seconds * SECOND_MS) > TOLERANCE_MS ? refused('out_of_time') : ACCEPTED;
  },

  read(body) {
    const webhook = Webhook.safeParse(parseJson(body));
    if (!webhook.success) return null;
    const { type, created_at: at, data } = webhook.data;
    const meaning = meant(meaningOf(webhook.data));
    if (meaning === null) return eventsAlone([]);
    // Beside a type the message is a sentence of Resend's own.
    const replies = [...(data?.bounce?.diagnosticCode ?? []), ...(data?.bounce?.type ? [] : [data?.bounce?.message])];
    const email = personOf(data?.to ?? [], replies);
    return eventsAlone(eventOf(meaning, { id: `${data?.email_id ?? ''} ${type} ${at}`, email, at, replies }));
  },
};
