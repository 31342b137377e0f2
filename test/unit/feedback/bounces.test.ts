import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/contract/feedback.ts';
import type { DeliveryClass } from '../../../src/domain/belief/facts.ts';
import { readReport } from '../../../src/domain/feedback/bounces/report.ts';

const CASES: [Outcome, text: string, DeliveryClass | null][] = [
  ['hard_bounce', '550 5.1.1 <x>: Recipient address rejected', 'user_unknown'],
  ['hard_bounce', '550 5.1.10 RESOLVER.ADR.RecipientNotFound', 'user_unknown'],
  ['hard_bounce', '550 User unknown in virtual mailbox table', 'user_unknown'],
  ['hard_bounce', 'No such user here', 'user_unknown'],
  ['hard_bounce', '5.0.0 user unknown', 'user_unknown'],
  ['hard_bounce', '', 'refused'],
  ['hard_bounce', '550', 'refused'],
  ['hard_bounce', '554 5.2.1 mailbox disabled', 'refused'],
  ['hard_bounce', '550 5.4.1 Recipient address rejected: Access denied', 'user_unknown'],
  ['hard_bounce', '550 5.5.0 Requested action not taken: mailbox unavailable', 'user_unknown'],
  ['hard_bounce', '550 5.7.13 account disabled', 'refused'],
  ['hard_bounce', '552 5.2.2 mailbox full', 'full'],
  ['hard_bounce', '552', 'full'],
  ['hard_bounce', 'The mailbox is full', 'full'],
  ['hard_bounce', '550 5.7.1 unsolicited mail', null],
  ['hard_bounce', '550 5.7.606 Access denied, banned sending IP', null],
  ['hard_bounce', '554 blocked: poor reputation', null],
  ['hard_bounce', '550 5.5.4 invalid arguments', null],
  ['hard_bounce', '550 5.6.0 content rejected', null],
  ['hard_bounce', '535 authentication failed', null],
  ['hard_bounce', '250 2.0.0 OK', null],
  ['hard_bounce', '450 4.3.2 system not accepting', 'soft'],
  ['soft_bounce', '', 'soft'],
  ['soft_bounce', '451', 'soft'],
  ['soft_bounce', '550 5.1.1 user unknown', 'soft'],
  ['soft_bounce', '452 4.2.2 mailbox full', 'full'],
  ['soft_bounce', '421 4.7.0 try again later', 'soft'],
  ['delivered', '', 'delivered'],
  ['complaint', '', 'complaint'],
  ['unknown', '550 5.1.1 user unknown', null],
];
it.each(CASES)('%s with "%s" says of the mailbox: %s', async (outcome, text, said) => {
  expect((await readReport(outcome, text)).class).toBe(said);
});
