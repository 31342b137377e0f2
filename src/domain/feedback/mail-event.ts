import { constantTimeEqual, hmac } from '../../kernel/crypto.ts';
import { type Id, idBytes, idFromBytes, newId } from '../../kernel/ids.ts';
import type { ReadReport } from './bounces/report.ts';

/**
 * A connection's id stands in a public URL. Its last 40 bits are a MAC of the others, so that an invented id is refused
 * without a look-up.
 */
const MAC_BYTES = 5;
const MAC_AT = 16 - MAC_BYTES;

const macOf = (key: Uint8Array, bytes: Uint8Array): Uint8Array =>
  hmac(key, Buffer.from(bytes.subarray(0, MAC_AT)).toString('hex')).subarray(0, MAC_BYTES);

export function newConnectionId(key: Uint8Array, nowMs: number): Id<'con'> {
  const bytes = idBytes(newId('con', nowMs));
  bytes.set(macOf(key, bytes), MAC_AT);
  return idFromBytes('con', bytes);
}

export function isConnectionId(key: Uint8Array, id: Id<'con'>): boolean {
  const bytes = idBytes(id);
  const hex = (part: Uint8Array): string => Buffer.from(part).toString('hex');
  return constantTimeEqual(hex(macOf(key, bytes)), hex(bytes.subarray(MAC_AT)));
}

/** The mail services whose webhooks are read. */
export const MAIL_SERVICES = ['ses', 'sendgrid', 'postmark', 'mailgun', 'resend'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];

/** A report's words for what became of a message. */
export type MailOutcome = 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint';

/** What we keep of one event of a mail service's. */
export interface MailEvent extends ReadReport {
  /** The same however often the service sends it. */
  readonly id: string;
  /** As it came; it is hashed at once. */
  readonly email: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: MailOutcome;
  /**
   * `sent`: the fate of a message. `seen`: it was opened or clicked, by a person or a scanner, so it was delivered.
   * `suppressed`: the service did not send it, for what became of an earlier one.
   */
  readonly means: 'sent' | 'seen' | 'suppressed';
}
