import { outcomeEvidence } from '../calibration/outcome-evidence.ts';
import type { SmtpCodes } from './smtp-codes.ts';

/** The mail services whose webhooks are read. */
export const MAIL_SERVICES = ['ses', 'sendgrid', 'postmark', 'mailgun', 'resend'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];

/**
 * What became of a message, as far as it tells about the mailbox: the server knows no such user; it refuses the mailbox for
 * another reason; the mailbox is full; a failure that says nothing lasting; delivered; a complaint.
 */
export type DeliveryClass = 'user_unknown' | 'refused' | 'full' | 'soft' | 'delivered' | 'complaint';

/** A report's words for what became of a message. */
export type MailOutcome = 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint';

/** What we keep of one event of a mail service's. */
export interface MailEvent {
  /** The same however often the service sends it. */
  readonly id: string;
  /** As it came; it is hashed at once. */
  readonly email: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: MailOutcome;
  readonly class: DeliveryClass;
  readonly codes: SmtpCodes | null;
  /**
   * `sent`: the fate of a message. `seen`: it was opened or clicked, by a person or a scanner, so it was delivered.
   * `suppressed`: the service did not send it, for what became of an earlier one.
   */
  readonly means: 'sent' | 'seen' | 'suppressed';
}

/** Enhanced codes that say what is wrong with the mailbox, without their first digit (RFC 3463). */
const MAILBOX_CODES: Readonly<Record<string, DeliveryClass>> = {
  '1.1': 'user_unknown',
  '1.10': 'user_unknown',
  '2.2': 'full',
};

/** The class of an outcome by its codes. A refusal of the message, for policy or reputation, tells nothing of the mailbox. */
export function deliveryClass(outcome: MailOutcome, codes: SmtpCodes | null): DeliveryClass {
  if (outcome === 'delivered' || outcome === 'complaint') return outcome;
  const { code: basicCode = null, enhanced: enhancedCode = null } = codes ?? {};
  const named = enhancedCode === null ? undefined : MAILBOX_CODES[enhancedCode.slice(2)];
  if (named === 'full' || (enhancedCode === null && basicCode === '552')) return 'full';
  if (outcome === 'soft_bounce') return 'soft';
  if (outcomeEvidence({ outcome, basicCode, enhancedCode }) === null) return 'soft';
  return named ?? 'refused';
}
