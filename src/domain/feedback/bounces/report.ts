import type { Outcome } from '../../../contract/feedback.ts';
import type { DeliveryClass } from '../../belief/facts.ts';
import type { SmtpCodes } from './codes.ts';
import { readBounce } from './message.ts';
import type { IsRecipient } from './refusal.ts';
import { type Reading, readReply } from './read.ts';

/** What is kept of a report: what it says of the mailbox, null for nothing, and the codes of its text. */
export interface ReadReport {
  readonly class: DeliveryClass | null;
  readonly codes: SmtpCodes | null;
  /** A bounce has a text, and it says nothing sure. */
  readonly isUnread: boolean;
  /** The server's words contradict the class that the mail service names. */
  readonly isOverruled: boolean;
}

/** A report without a text is the reporter's own word. */
const NO_TEXT: Reading = { class: 'refused', codes: null, isWorded: false };

/** What a report says about the mailbox; null: nothing of it is kept. */
function classOf(outcome: Outcome, { class: said = null }: Reading): DeliveryClass | null {
  switch (outcome) {
    case 'delivered':
    case 'complaint':
      return outcome;
    case 'hard_bounce':
      return said;
    case 'soft_bounce':
      // A reporter that calls a refusal soft expects it to pass.
      return said === null || said === 'full' ? said : 'soft';
    case 'unknown':
      return null;
  }
}

/** Reads an account's own report. `text`: what the server said, as it was sent: a code, a reply or a whole message, which may be about several people. */
export async function readReport(outcome: Outcome, text = '', isRecipient?: IsRecipient): Promise<ReadReport> {
  const reading = text.trim() === '' ? NO_TEXT : await readBounce(text, isRecipient);
  return { ...readingOf(outcome, reading), isOverruled: false };
}

const readingOf = (outcome: Outcome, reading: Reading): Omit<ReadReport, 'isOverruled'> => ({
  class: classOf(outcome, reading),
  codes: reading.codes,
  isUnread: outcome.endsWith('bounce') && reading.class === undefined,
});

/**
 * Reads a mail service's report. The server's words win; the service's own class stands beside a bare code, and fills silence.
 * @param replies what the server said, the best first
 * @param named the service's own class; null: it is about no mailbox; undefined: it has none for this
 */
export function readServiceReport(
  outcome: Outcome,
  replies: readonly string[],
  named: DeliveryClass | null | undefined,
): ReadReport {
  const readings = replies.filter((text) => text.trim() !== '').map((text) => readReply(text));
  const codes = readings.find((each) => each.codes !== null)?.codes ?? null;
  const worded = readings.find(({ isWorded }) => isWorded);
  if (worded !== undefined) {
    const read = readingOf(outcome, { ...worded, codes });
    return { ...read, isOverruled: named !== undefined && read.class !== named };
  }
  if (named !== undefined) return { class: named, codes, isUnread: false, isOverruled: false };
  const coded = readings.find((each) => each.class !== undefined);
  return { ...readingOf(outcome, { ...(coded ?? NO_TEXT), codes }), isOverruled: false };
}
