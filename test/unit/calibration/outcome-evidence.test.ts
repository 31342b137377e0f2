import { describe, expect, it } from 'vitest';
import { type OutcomeReport, outcomeEvidence } from '../../../src/domain/calibration/outcome-evidence.ts';

const evidence = (outcome: OutcomeReport['outcome'], basicCode: string | null, enhancedCode: string | null) =>
  outcomeEvidence({ outcome, basicCode, enhancedCode });

describe('an outcome', () => {
  it.each([
    ['hard_bounce', 'bounced'],
    ['delivered', 'landed'],
    ['complaint', 'landed'],
    ['soft_bounce', null],
    ['unknown', null],
  ] as const)('%s is %s', (outcome, expected) => {
    expect(evidence(outcome, null, null)).toBe(expected);
  });

  it.each([
    ['no such user', '550', '5.1.1'],
    ['mailbox disabled', '550', '5.2.1'],
    ['recipient refused at Exchange Online’s edge', '550', '5.4.1'],
    ['Outlook.com’s mailbox unavailable', '550', '5.5.0'],
    ['account disabled', '550', '5.7.13'],
    ['new owner of the mailbox', '550', '5.7.17'],
    ['an unlisted code', '550', '5.9.9'],
    ['no enhanced code', '550', null],
    ['Yahoo’s delivery error, which lacks an enhanced code', '554', null],
  ])('a hard bounce is about the mailbox: %s', (_what, basic, enhanced) => {
    expect(evidence('hard_bounce', basic, enhanced)).toBe('bounced');
  });

  it.each([
    ['policy or reputation', '550', '5.7.1'],
    ['banned sending IP', '550', '5.7.606'],
    ['DMARC', '550', '5.7.26'],
    ['content', '554', '5.6.0'],
    ['message too big', '552', '5.3.4'],
    ['message too long for the mailbox', '552', '5.2.3'],
    ['daily sending limit', '550', '5.4.5'],
    ['sender’s domain', '550', '5.1.8'],
    ['the time for delivery ran out', '550', '5.4.7'],
    ['transient', '450', '4.2.1'],
    ['transient, no enhanced code', '421', null],
    ['a full mailbox, for now', '452', '4.2.2'],
    ['not authenticated', '530', null],
    ['protocol', '503', '5.5.1'],
  ])('a hard bounce is about the sender or the message: %s', (_what, basic, enhanced) => {
    expect(evidence('hard_bounce', basic, enhanced)).toBeNull();
  });

  it('is read from the enhanced code where there are both', () => {
    expect(evidence('hard_bounce', '450', '5.1.1')).toBe('bounced');
    expect(evidence('hard_bounce', '550', '4.4.7')).toBeNull();
  });

  it('delivered stays so, whatever the code', () => {
    expect(evidence('delivered', '550', '5.7.1')).toBe('landed');
  });
});
