import type { Outcome } from '../../contract/feedback.ts';
import type { DeliveryClass } from '../belief/facts.ts';

/**
 * The codes kept of a bounce message: basic reply code (RFC 5321), `550`, and enhanced status code (RFC 3463), `5.1.1`.
 */
export interface SmtpCodes {
  readonly code: string | null;
  readonly enhanced: string | null;
}

/** What a refusal says of the mailbox; null: it is not about the mailbox, so nothing of it is kept. */
type ClassOrNone = DeliveryClass | null;

/** `code`: the start of a code; without a final dot it has to match whole. */
interface CodeRow {
  readonly code: string;
  readonly class: ClassOrNone;
  readonly source: string;
}

/** The first matching row decides. Any other enhanced code that begins with 5 refuses the mailbox. */
const ENHANCED: readonly CodeRow[] = [
  { code: '2.', class: null, source: 'RFC 3463: success; the report contradicts itself' },
  { code: '4.2.2', class: 'full', source: 'RFC 3463: mailbox full, for now' },
  { code: '4.7.', class: null, source: 'RFC 3463: policy; greylisting and rates: "421 4.7.0 Try again later"' },
  { code: '4.', class: 'soft', source: 'RFC 3463: persistent transient failure' },
  { code: '5.1.1', class: 'user_unknown', source: 'RFC 3463: bad destination mailbox address' },
  { code: '5.1.10', class: 'user_unknown', source: 'Exchange Online: "550 5.1.10 RESOLVER.ADR.RecipientNotFound"' },
  { code: '5.1.7', class: null, source: 'RFC 3463: the sender’s address is malformed' },
  { code: '5.1.8', class: null, source: 'RFC 3463: the sender’s domain does not exist' },
  { code: '5.2.2', class: 'full', source: 'RFC 3463: mailbox full' },
  { code: '5.2.3', class: null, source: 'RFC 3463: the message is too long for the mailbox' },
  { code: '5.3.4', class: null, source: 'RFC 3463: the message is too big for the system' },
  { code: '5.4.5', class: null, source: 'Gmail: "550 5.4.5 Daily user sending limit exceeded"' },
  { code: '5.4.7', class: 'soft', source: 'RFC 3463: the time for delivery has run out; no server refused' },
  {
    code: '5.5.0',
    class: 'refused',
    source: 'Outlook.com: "550 5.5.0 Requested action not taken: mailbox unavailable"',
  },
  { code: '5.5.', class: null, source: 'RFC 3463: the sender did not keep to the protocol' },
  { code: '5.6.', class: null, source: 'RFC 3463: the message’s content or encoding' },
  { code: '5.7.13', class: 'refused', source: 'RFC 5248: the user’s account is disabled' },
  { code: '5.7.17', class: 'refused', source: 'RFC 7293: the mailbox has another owner now' },
  { code: '5.7.18', class: 'refused', source: 'RFC 7293: the domain has another owner now' },
  { code: '5.7.', class: null, source: 'RFC 3463: policy; reputation, authentication, rate' },
];

/** Words of a server, where the enhanced code is missing or vague. The first matching row decides. */
const WORDS: readonly { readonly words: RegExp; readonly class: ClassOrNone; readonly source: string }[] = [
  {
    words:
      /spam|black-?list|block-?list|reputation|rate limit|too many (?:messages|connections|recipients)|policy|dmarc|spf\b|banned/i,
    class: null,
    source: 'refusals of the sender or the message; Spamhaus, Gmail and Outlook.com word them so',
  },
  {
    words:
      /(?:user|recipient|mailbox|account|address)\s(?:is\s)?(?:unknown|not found|(?:does not|doesn.t) exist)|(?:unknown|no such) (?:user|recipient|mailbox|account|address)/i,
    class: 'user_unknown',
    source: 'Postfix "User unknown in virtual mailbox table", Gmail "account that you tried to reach does not exist"',
  },
  {
    words: /(?:mailbox|inbox) (?:is )?full|over quota|quota exceeded|exceeded (?:storage|mailbox)/i,
    class: 'full',
    source: 'Dovecot "Quota exceeded (mailbox for user is full)", Gmail "over quota"',
  },
];

/** By the first digits of a basic code, used where no enhanced code and no words tell. */
const BASIC: readonly CodeRow[] = [
  { code: '2.', class: null, source: 'RFC 5321: accepted; the report contradicts itself' },
  { code: '4.', class: 'soft', source: 'RFC 5321: transient' },
  { code: '552', class: 'full', source: 'RFC 5321: exceeded storage allocation' },
  { code: '53.', class: null, source: 'RFC 4954: the sender has not shown who it is (530, 534, 535, 538)' },
];

/** Tells nothing beyond its first digit. */
const isVague = (enhanced: string): boolean => enhanced.endsWith('.0.0');

const rowOf = (rows: readonly CodeRow[], code: string): CodeRow | undefined =>
  rows.find((row) => (row.code.endsWith('.') ? code.startsWith(row.code.slice(0, -1)) : code === row.code));

/** What a refusal says by its codes alone. An enhanced code outweighs a basic one, even where it is vague. */
export function classOfCodes({ code, enhanced }: SmtpCodes): ClassOrNone {
  const row = enhanced !== null ? rowOf(ENHANCED, enhanced) : code !== null ? rowOf(BASIC, code) : undefined;
  return row === undefined ? 'refused' : row.class;
}

function classOfRefusal({ code, enhanced }: SmtpCodes, text: string): ClassOrNone {
  if (enhanced !== null && !isVague(enhanced)) return classOfCodes({ code, enhanced });
  const said = WORDS.find(({ words }) => words.test(text));
  if (said !== undefined) return said.class;
  return classOfCodes({ code: code ?? enhanced, enhanced: null });
}

const NO_CODES: SmtpCodes = { code: null, enhanced: null };

/**
 * What a report says about the mailbox; null: nothing of it is kept.
 * @param text what the server said, as it was sent
 */
export function deliveryClass(outcome: Outcome, codes: SmtpCodes | null, text: string): DeliveryClass | null {
  switch (outcome) {
    case 'delivered':
      return 'delivered';
    case 'complaint':
      return 'complaint';
    case 'hard_bounce':
      return classOfRefusal(codes ?? NO_CODES, text);
    case 'soft_bounce': {
      // Without a code or words it is what it was reported as. A reporter that calls a refusal soft expects it to pass.
      const said = classOfRefusal(codes ?? NO_CODES, text);
      return said === null || said === 'full' ? said : 'soft';
    }
    case 'unknown':
      return null;
  }
}
