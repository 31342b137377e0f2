/** What an account reports of a message it sent. */
export interface OutcomeReport {
  readonly outcome: 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unknown';
  /** Basic SMTP code (RFC 5321), `550`, and enhanced status code (RFC 3463), `5.1.1`; null where none was reported. */
  readonly basicCode: string | null;
  readonly enhancedCode: string | null;
}

/** Whether a refusal is about the mailbox, by the start of its code. A code without a final dot has to match whole. */
interface CodeRow {
  readonly code: string;
  readonly aboutMailbox: boolean;
  readonly reason: string;
}

/** The first matching row decides. Any other code is about the mailbox, as the report says. */
const ENHANCED: readonly CodeRow[] = [
  { code: '2.', aboutMailbox: false, reason: 'RFC 3463: success; the report contradicts itself' },
  {
    code: '4.',
    aboutMailbox: false,
    reason: 'RFC 3463: persistent transient failure; the server did not refuse for good',
  },
  { code: '5.1.7', aboutMailbox: false, reason: 'RFC 3463: the sender’s address is malformed' },
  { code: '5.1.8', aboutMailbox: false, reason: 'RFC 3463: the sender’s domain does not exist' },
  { code: '5.2.3', aboutMailbox: false, reason: 'RFC 3463: the message is too long for the mailbox' },
  { code: '5.3.4', aboutMailbox: false, reason: 'RFC 3463: the message is too big for the system' },
  { code: '5.4.5', aboutMailbox: false, reason: 'Gmail: "550 5.4.5 Daily user sending limit exceeded"' },
  { code: '5.4.7', aboutMailbox: false, reason: 'RFC 3463: the time for delivery has run out; no server refused' },
  {
    code: '5.5.0',
    aboutMailbox: true,
    reason: 'Outlook.com: "550 5.5.0 Requested action not taken: mailbox unavailable"',
  },
  { code: '5.5.', aboutMailbox: false, reason: 'RFC 3463: the sender did not keep to the protocol' },
  { code: '5.6.', aboutMailbox: false, reason: 'RFC 3463: the message’s content or encoding' },
  { code: '5.7.13', aboutMailbox: true, reason: 'RFC 5248: the user’s account is disabled' },
  { code: '5.7.17', aboutMailbox: true, reason: 'RFC 7293: the mailbox has another owner now' },
  { code: '5.7.18', aboutMailbox: true, reason: 'RFC 7293: the domain has another owner now' },
  {
    code: '5.7.',
    aboutMailbox: false,
    reason: 'RFC 3463: policy; reputation, authentication, rate: "550 5.7.606 Access denied, banned sending IP"',
  },
];

/** Rows for basic codes by their first digits, used where the enhanced code is missing. */
const BASIC: readonly CodeRow[] = [
  { code: '2', aboutMailbox: false, reason: 'RFC 5321: accepted; the report contradicts itself' },
  { code: '4', aboutMailbox: false, reason: 'RFC 5321: transient; the server did not refuse for good' },
  { code: '53', aboutMailbox: false, reason: 'RFC 4954: the sender has not shown who it is (530, 534, 535, 538)' },
];

function isAboutMailbox({ basicCode, enhancedCode }: OutcomeReport): boolean {
  const row =
    enhancedCode === null
      ? BASIC.find(({ code }) => basicCode?.startsWith(code))
      : ENHANCED.find(({ code }) => (code.endsWith('.') ? enhancedCode.startsWith(code) : enhancedCode === code));
  return row?.aboutMailbox ?? true;
}

/** What a report says about the mailbox; null when it says nothing, so the fit leaves it out. */
export function outcomeEvidence(report: OutcomeReport): 'bounced' | 'landed' | null {
  switch (report.outcome) {
    case 'hard_bounce':
      return isAboutMailbox(report) ? 'bounced' : null;
    case 'delivered':
    case 'complaint':
      return 'landed';
    case 'soft_bounce':
    case 'unknown':
      return null;
  }
}
