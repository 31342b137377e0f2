import type { ReadReport } from './bounces/report.ts';

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
