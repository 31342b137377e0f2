import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/contract/feedback.ts';
import type { DeliveryClass } from '../../../src/domain/belief/facts.ts';
import { readReport, readServiceReport } from '../../../src/domain/feedback/bounces/report.ts';

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

const REFUSED_MAIL = 'Subject: Spam? You are blocked\n\nOur policy: https://shop.example/policy';
const message = (human: string, status = '') =>
  [
    'Received: from mx.shop.example by relay.shop.example; Sat, 28 Nov 2026 10:00:00 +0000',
    'From: MAILER-DAEMON@shop.example',
    'Subject: Undelivered Mail Returned to Sender',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    `--b\nContent-Type: text/plain\n\n${human}\n`,
    ...(status === ''
      ? []
      : [`--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; shop.example\n\n${status}\n`]),
    `--b\nContent-Type: message/rfc822\n\n${REFUSED_MAIL}\n`,
    '--b--',
  ].join('\n');
const statusOf = (diagnostic: string, status = '5.0.0', action = 'failed') =>
  `Final-Recipient: rfc822; ada@business.test\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; ${diagnostic}`;

const OTHERS = statusOf('550 5.1.1 user unknown', '5.1.1').replace('ada@', 'bob@');

it.each([
  [
    'the delivery status goes before the human part',
    message('Blocked for spam.', statusOf('550 No such user')),
    'user_unknown',
  ],
  ['a status without words stands by its code', message('It failed.', statusOf('5.1.1', '5.1.1')), 'user_unknown'],
  ['a failure that only waits is soft', message('Delayed.', statusOf('451 no such user', '4.0.0', 'delayed')), 'soft'],
  [
    'the recipient that failed, of several',
    message('It failed.', `${statusOf('250 ok', '2.0.0', 'delivered')}\n\n${statusOf('552 mailbox is full', '5.2.2')}`),
    'full',
  ],
  [
    'the reply in the human part, not the message that came back',
    message('host mx.business.test said: 550 User unknown'),
    'user_unknown',
  ],
  [
    'headers are no evidence',
    `Received-SPF: none (shop.example does not designate permitted hosts)\nFrom: MAILER-DAEMON@shop.example\n\nWe could not deliver to\n\n<ada@business.test>:\n550: User unknown`,
    'user_unknown',
  ],
  ['a delivery status pasted alone', `${statusOf('550 Mailbox not found')}\n\n${REFUSED_MAIL}`, 'user_unknown'],
  [
    'what stands below the reply',
    `550 User unknown\n\n--- Below this line is a copy of the message ---\n${REFUSED_MAIL}`,
    'user_unknown',
  ],
  [
    'the addresses and hosts in it',
    'host spamfilter.business.test said: 550 <policy@business.test>: User unknown',
    'user_unknown',
  ],
  ['a footer of one word', '550 5.1.1 No such user here. Report abuse to our desk', 'user_unknown'],
  [
    'the last of two refusals',
    'host a said: 451 4.7.1 Greylisted\n\nhost b said: 550 5.1.1 User unknown',
    'user_unknown',
  ],
  [
    'a status pasted without a diagnosis',
    'Final-Recipient: rfc822; ada@business.test\nAction: failed\nStatus: 5.1.1',
    'user_unknown',
  ],
  ['an address instead of words', '550 <ada@business.test>', 'refused'],
  ['the sender, in other languages', '550 Expéditeur inconnu', null],
  ['the sender’s mailbox', '550 The sender’s mailbox is full', null],
  ['a mailbox that nobody reads', '550 mailbox not monitored', null],
  ['a signature', 'User unknown\n\n-- \nScanned for spam by Acme', 'user_unknown'],
  [
    'HTML',
    'Content-Type: text/html\nSubject: x\n\n<style>.spam {}</style><p>El buz&oacute;n est&aacute; lleno</p>',
    'full',
  ],
  ['the sender’s account', '550 5.7.1 Your account has been disabled for sending spam', null],
  ['the sender’s account, by its code', '535 account disabled', null],
  ['a message that is too long, by its code', '5.2.3', null],
  ['a link to a policy', '550 No such user - see our mail policy at https://business.test/policy', 'user_unknown'],
] as const)('a bounce is read by what the server said of the recipient: %s', async (_, text, said) => {
  expect(await readReport('hard_bounce', text)).toMatchObject({ class: said, isUnread: false });
});

it.each([
  ['delivered to the person', [statusOf('250 ok', '2.0.0', 'delivered'), OTHERS], null],
  ['the person’s mailbox is full', [OTHERS, statusOf('552 mailbox is full', '5.2.2')], 'full'],
  ['the person is not named', [OTHERS, OTHERS.replace('bob', 'cy')], 'user_unknown'],
] as const)('a bounce about several people is read for the one it is reported of: %s', async (_, blocks, said) => {
  const text = message('Delivery failed.', blocks.join('\n\n'));
  expect(await readReport('hard_bounce', text, (email) => email === 'ada@business.test')).toMatchObject({
    class: said,
  });
});

it.each([
  ['hard_bounce', 'Something went wrong', { class: null, isUnread: true }],
  ['hard_bounce', '550 Something went wrong', { class: null, isUnread: true }],
  ['hard_bounce', '554 spam', { class: null, isUnread: false }],
  ['delivered', 'Something went wrong', { class: 'delivered', isUnread: false }],
] as const)('%s with "%s", which says nothing sure, teaches nothing and is counted', async (outcome, text, read) => {
  expect(await readReport(outcome, text)).toMatchObject(read);
});

it.each([
  ['words contradict the named class', ['550 User unknown'], 'refused', { class: 'user_unknown', isOverruled: true }],
  ['words agree with it', ['550 User unknown'], 'user_unknown', { class: 'user_unknown', isOverruled: false }],
  ['a bare code does not contradict it', ['550 5.7.1'], 'user_unknown', { class: 'user_unknown', isOverruled: false }],
  ['nothing about the mailbox is a class too', ['smtp; 550 5.1.1'], null, { class: null, isOverruled: false }],
  ['without one, the code counts', ['550 5.1.1'], undefined, { class: 'user_unknown', isOverruled: false }],
  ['without any, the service’s outcome counts', [], undefined, { class: 'refused', isOverruled: false }],
] as const)('a mail service’s report: %s', (_, replies, named, read) => {
  expect(readServiceReport('hard_bounce', replies, named)).toMatchObject(read);
});

it('nothing of a text comes out but a class and two codes, whatever it says', async () => {
  const code = /^(?:[245]\d\d|[245]\.\d{1,3}\.\d{1,3})$/;
  const anyField = fc.constantFrom('Status', 'Action', 'Diagnostic-Code', 'Final-Recipient', 'Subject');
  const anyLine = fc.tuple(anyField, fc.string({ unit: 'grapheme' })).map((pair) => pair.join(': '));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(anyLine, fc.string())), async (lines) => {
      const { codes } = await readReport('hard_bounce', lines.join('\n'));
      for (const each of Object.values(codes ?? {})) expect(each ?? '550').toMatch(code);
    }),
  );
});
