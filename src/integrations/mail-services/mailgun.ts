import * as z from 'zod';
import { HOUR_MS, SECOND_MS } from '../../kernel/clock.ts';
import { constantTimeEqual, hmacHex } from '../../kernel/crypto.ts';
import { block, flag, parseJson, rowOf } from '../exchange.ts';
import {
  eventOf,
  eventsAlone,
  type MailServiceAdapter,
  type MeaningRow,
  meant,
  number,
  numeral,
  refused,
  reply,
  word,
} from './adapter.ts';

/** Mailgun repeats a webhook for 8 hours. */
const TOLERANCE_MS = 9 * HOUR_MS;

/** By `event`; a failure by its `severity` and, if it has a row, its `reason`. */
const MEANINGS: Readonly<Record<string, MeaningRow>> = {
  delivered: { outcome: 'delivered', reason: 'the server has taken it' },
  opened: { outcome: 'delivered', means: 'seen', reason: 'scanners fetch pictures too' },
  clicked: { outcome: 'delivered', means: 'seen', reason: 'scanners follow links too' },
  complained: { outcome: 'complaint', reason: 'the person called it spam' },
  'failed temporary': { outcome: 'soft_bounce', reason: 'Mailgun tries again' },
  'failed permanent': { outcome: 'hard_bounce', reason: 'refused for good' },
  'failed permanent suppress-bounce': { outcome: 'hard_bounce', means: 'suppressed', reason: 'it bounced before' },
  'failed permanent suppress-complaint': { outcome: 'complaint', means: 'suppressed', reason: 'it complained before' },
  'failed permanent suppress-unsubscribe': {
    outcome: null,
    reason: 'the person unsubscribed: nothing about the mailbox',
  },
  'failed permanent old': { outcome: 'soft_bounce', reason: 'tried for too long; no server refused for good' },
  'failed permanent espblock': {
    outcome: 'soft_bounce',
    class: null,
    reason: 'the provider blocks the sender, not the mailbox',
  },
  'failed permanent blacklisted': { outcome: 'soft_bounce', class: null, reason: 'the sender’s reputation' },
  'failed permanent soft': { outcome: 'soft_bounce', reason: 'Mailgun’s own word for it, in `bounce-type`' },
};

const Webhook = z.object({
  signature: block({
    timestamp: z.union([z.string().max(20), z.number()]),
    token: z.string().max(200),
    signature: z.string().max(200),
  }),
  'event-data': z.object({
    id: word,
    event: word,
    timestamp: number,
    recipient: word,
    severity: word,
    reason: word,
    flags: block({ 'is-test-mode': flag }),
    'delivery-status': block({
      code: numeral,
      message: reply,
      description: reply,
      'enhanced-code': word,
      'bounce-type': word,
    }),
  }),
});
type EventData = z.output<typeof Webhook>['event-data'];

function meaningOf({ event, severity, reason, 'delivery-status': status }: EventData): MeaningRow | undefined {
  if (event !== 'failed') return rowOf(MEANINGS, event);
  const failure = `failed ${severity ?? ''}`;
  return (
    rowOf(MEANINGS, `${failure} ${reason ?? ''}`) ??
    (status?.['bounce-type'] === 'soft' ? rowOf(MEANINGS, `${failure} soft`) : undefined) ??
    rowOf(MEANINGS, failure)
  );
}

/** Mailgun's own numbers rather than a server's reply: no mail host, no TLS. Those from 600 on are its own too. */
const OWN_CODES: ReadonlySet<number> = new Set([498, 499]);

/** The reply as the server wrote it: `message` lacks its basic code. */
function repliesIn(status: EventData['delivery-status']): string[] {
  const code = status?.code ?? null;
  if (status === null || code === null || code >= 600 || OWN_CODES.has(code)) return [];
  const rest = [status['enhanced-code'], status.message ?? status.description].filter((part) => part !== null);
  return [[code, ...rest].join(' '), String(code)];
}

/** The signature covers a token and a time, but not the body: a token is valid for one body. */
export const mailgun: MailServiceAdapter = {
  verify({ body }, secrets, nowMs) {
    const { signature: given } = z.object({ signature: Webhook.shape.signature }).safeParse(parseJson(body)).data ?? {
      signature: null,
    };
    if (given === null) return refused('unsigned');
    const expected = secrets.map((secret) =>
      hmacHex(new TextEncoder().encode(secret), `${given.timestamp}${given.token}`),
    );
    if (!expected.some((one) => constantTimeEqual(given.signature, one))) return refused('forged');
    const isTimely = Math.abs(nowMs - Number(given.timestamp) * SECOND_MS) <= TOLERANCE_MS;
    return isTimely ? { ok: true, once: given.token } : refused('out_of_time');
  },

  read(body) {
    const webhook = Webhook.safeParse(parseJson(body));
    if (!webhook.success) return null;
    const event = webhook.data['event-data'];
    const meaning = meant(meaningOf(event));
    // A message of test mode is accepted and never sent.
    if (meaning === null || event.flags?.['is-test-mode'] === true) return eventsAlone([]);
    return eventsAlone(
      eventOf(meaning, {
        // The id is unique within a day.
        id: `${event.id ?? ''} ${event.timestamp}`,
        email: event.recipient,
        at: event.timestamp === null ? null : Math.floor(event.timestamp * SECOND_MS),
        replies: repliesIn(event['delivery-status']),
      }),
    );
  },
};
