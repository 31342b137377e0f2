import { classOfBareCodes } from './bounces/codes.ts';

/** What an account reports of a message it sent. */
export interface OutcomeReport {
  readonly outcome: 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unknown';
  /** Basic SMTP code (RFC 5321), `550`, and enhanced status code (RFC 3463), `5.1.1`; null where none was reported. */
  readonly basicCode: string | null;
  readonly enhancedCode: string | null;
}

/** A transient code does not refuse for good (RFC 5321 §4.2.1, RFC 3463 §3.1), whatever the report calls it. */
function isAboutMailbox({ basicCode, enhancedCode }: OutcomeReport): boolean {
  const said = classOfBareCodes({ code: basicCode, enhanced: enhancedCode });
  return said !== null && said !== 'soft' && (enhancedCode ?? basicCode)?.startsWith('4') !== true;
}

/** What a report says about the mailbox; null when it says nothing, so the calibration report leaves it out. */
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
