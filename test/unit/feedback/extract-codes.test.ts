import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractSmtpCodes } from '../../../src/domain/feedback/bounces/codes.ts';

const lines = (...text: string[]): string => text.join('\r\n');

const GMAIL = lines(
  '** Address not found **',
  'Your message wasn’t delivered to ada@example.com because the address couldn’t be found, or is unable to receive mail.',
  'Learn more here: https://support.google.com/mail/?p=NoSuchUser',
  'The response was:',
  '550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient’s email',
  'address for typos or unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser d9443c01a7336-550.2 - gsmtp',
);
const GMAIL_DSN = lines(
  'Reporting-MTA: dns; googlemail.com',
  'Received-From-MTA: dns; ada@example.com',
  'Arrival-Date: Thu, 12 Nov 2026 02:22:55 -0800 (PST)',
  'X-Original-Message-ID: <CA+451.5.1.2@mail.example.com>',
  '',
  'Final-Recipient: rfc822; bob@example.com',
  'Action: failed',
  'Status: 5.2.1',
  'Remote-MTA: dns; gmail-smtp-in.l.google.com. (192.0.2.26, the server for the domain gmail.com.)',
  'Diagnostic-Code: smtp; 550-5.2.1 The email account that you tried to reach is disabled. Learn more at',
  ' 550 5.2.1  https://support.google.com/mail/?p=DisabledUser 450si2034552pfd.452 - gsmtp',
  'Last-Attempt-Date: Thu, 12 Nov 2026 02:22:56 -0800 (PST)',
);
const POSTFIX = lines(
  'This is the mail system at host mx1.example.net.',
  '<bob@example.com>: host mail.example.com[203.0.113.250] said: 550 5.1.1 <bob@example.com>: Recipient address',
  '    rejected: User unknown in local recipient table (in reply to RCPT TO command)',
  'Reporting-MTA: dns; mx1.example.net',
  'X-Postfix-Queue-ID: 4F5501A451',
  'Final-Recipient: rfc822; bob@example.com',
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 <bob@example.com>: Recipient address rejected: User unknown',
);
const EXIM = lines(
  'This message was created automatically by mail delivery software.',
  '  bob@example.com',
  '    host mx.example.com [198.51.100.250]',
  '    SMTP error from remote mail server after RCPT TO:<bob@example.com>:',
  '    550-Callback setup failed while verifying <ada@example.net>',
  '    550 Sender verify failed',
);
const OFFICE_365 = lines(
  'Diagnostic information for administrators:',
  'Generating server: DB7PR04MB5450.eurprd04.prod.outlook.com',
  'bob@example.com',
  'Remote server returned ‘550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient bob@example.com not found by SMTP address lookup’',
  'Original message headers:',
  'Received: from AM0PR04MB4550.eurprd04.prod.outlook.com (2603:10a6:208:c1::22) with Microsoft SMTP Server (version=TLS1_2) id 15.20.450.5; Thu, 12 Nov 2026 10:45:55 +0000',
);
const OFFICE_365_EXPIRED = lines(
  'Status: 5.4.300',
  'Diagnostic-Code: smtp;550 5.4.300 Message expired -> 451 4.7.500 Server busy. Please try again later from [192.0.2.1].',
);
const EXCHANGE_2010 = lines(
  'Generating server: mail.example.net',
  'bob@example.com',
  'mx.example.com #<mx.example.com #5.1.1 smtp;550 5.1.1 <bob@example.com>... User unknown> #SMTP#',
);
const YAHOO = lines(
  '<bob@yahoo.com>:',
  '554: 5.7.9 Message not accepted for policy reasons.  See https://postmaster.yahooinc.com/error-codes',
);
const YAHOO_DD = lines(
  'Final-Recipient: rfc822; bob@yahoo.com',
  'Action: failed',
  'Status: 5.0.0',
  'Diagnostic-Code: smtp; 554 delivery error: dd This user doesn’t have a yahoo.com account (bob@yahoo.com) [0] - mta1450.mail.gq1.yahoo.com',
);
const RETRIED = lines(
  'Nov 12 10:45:01 mx postfix/smtp[2550]: 4F5501A: host a.example.com[192.0.2.5] said: 451 4.7.1 Greylisted (in reply to RCPT TO command)',
  'Nov 12 11:45:01 mx postfix/smtp[2551]: 4F5501A: to=<bob@example.com>, relay=b.example.com[192.0.2.4]:25, delay=450, dsn=5.2.2, status=bounced (host b.example.com[192.0.2.4] said: 552 5.2.2 Over quota)',
);
const DELAYED_AND_FAILED = lines(
  'Final-Recipient: rfc822; a@example.com',
  'Action: delayed',
  'Status: 4.4.1',
  '',
  'Final-Recipient: rfc822; b@example.com',
  'Action: failed',
  'Status: 5.1.2',
);

/** A whole report (RFC 3464), with the words for people before it and the message's own headers after it. */
const WHOLE_REPORT = lines(
  'Return-Path: <>',
  'Received: from mx.example.net (mx.example.net [192.0.2.55]) by mail.shop.example (Postfix) with ESMTPS id 4F5501A',
  '\tfor <bounces+450=bob@shop.example>; Thu, 12 Nov 2026 10:45:50 +0000 (UTC)',
  'Subject: Undelivered Mail Returned to Sender',
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=delivery-status; boundary="4F5501A.550/mx.example.net"',
  '',
  '--4F5501A.550/mx.example.net',
  'Content-Type: text/plain; charset=us-ascii',
  '',
  'I am sorry to have to inform you that your message could not be delivered.',
  '',
  '--4F5501A.550/mx.example.net',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.example.net',
  'Original-Envelope-Id: 5.1.2026.450',
  'Arrival-Date: Thu, 12 Nov 2026 10:45:01 +0000 (UTC)',
  '',
  'Original-Recipient: rfc822;bob@example.com',
  'Final-Recipient: rfc822; bob@example.com',
  'Action: failed',
  'Status: 5.2.2',
  'Remote-MTA: dns; mx.example.com',
  'Diagnostic-Code: smtp; 552',
  '    5.2.2 <bob@example.com>: the mailbox is over its quota',
  '',
  '--4F5501A.550/mx.example.net',
  'Content-Type: message/rfc822-headers',
  '',
  'Message-ID: <20261112.451.450@shop.example>',
  'Subject: 20 % off until 5.5.2027',
  '',
  '--4F5501A.550/mx.example.net--',
);
/** A report for an internationalised address (RFC 6533). */
const GLOBAL_REPORT = lines(
  'Content-Type: message/global-delivery-status',
  'Content-Transfer-Encoding: 8bit',
  '',
  'Reporting-MTA: dns; mx.example.net',
  '',
  'Final-Recipient: utf-8; böb@bücher.example',
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 <böb@bücher.example>: unknown',
);
const DELAY_REPORT = lines(
  'Final-Recipient: rfc822; bob@example.com',
  'Action: delayed',
  'Status: 4.4.1',
  'Will-Retry-Until: Tue, 17 Nov 2026 05:51:00 +0000',
  'Diagnostic-Code: smtp; 450 4.4.1 connection timed out',
);

type Row = [title: string, text: string, code: string | null, enhanced: string | null];
const TEXTS: Row[] = [
  ['a basic code', '550', '550', null],
  ['an enhanced code', '5.1.1', null, '5.1.1'],
  ['both, with a space', ' 550 5.1.1 ', '550', '5.1.1'],
  ['both, with a hyphen', '550-5.1.1', '550', '5.1.1'],
  ['both, the enhanced one first', '#5.1.1 SMTP;550', '550', '5.1.1'],
  [
    'a code with a detail of three digits',
    '550 5.7.606 Access denied, banned sending IP [192.0.2.1]',
    '550',
    '5.7.606',
  ],
  ['a success', '250 2.0.0 OK  1795000000 d9443c01a7336-2502si - gsmtp', '250', '2.0.0'],
  ['Gmail', GMAIL, '550', '5.1.1'],
  ['Gmail’s delivery status, folded over two lines', GMAIL_DSN, '550', '5.2.1'],
  [
    'Gmail, which repeats the code',
    'The error that the other server returned was: 550 550 5.1.1 user unknown',
    '550',
    '5.1.1',
  ],
  ['Postfix', POSTFIX, '550', '5.1.1'],
  ['a whole report with all its parts', WHOLE_REPORT, '552', '5.2.2'],
  ['a report for an internationalised address', GLOBAL_REPORT, '550', '5.1.1'],
  ['a report of a delay', DELAY_REPORT, '450', '4.4.1'],
  ['Exim', EXIM, '550', null],
  ['Microsoft 365', OFFICE_365, '550', '5.1.10'],
  ['Microsoft 365, whose permanent failure quotes a transient one', OFFICE_365_EXPIRED, '550', '5.4.300'],
  ['Outlook.com', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).', '550', '5.5.0'],
  ['Exchange 2010', EXCHANGE_2010, '550', '5.1.1'],
  ['Exchange 2003', '<mx.example.com #5.5.0 SMTP; 554 <bob@example.com>: Relay access denied>', '554', '5.5.0'],
  ['Exchange’s own queue', '#550 4.4.7 QUEUE.Expired; message expired ##', '550', '4.4.7'],
  ['Yahoo', YAHOO, '554', '5.7.9'],
  ['Yahoo, whose code is in one field and its status in another', YAHOO_DD, '554', '5.0.0'],
  ['qmail', 'Remote host said: 550 sorry, no mailbox here by that name (#5.7.17)', '550', '5.7.17'],
  [
    'sendmail’s transcript',
    lines('>>> RCPT To:<bob@example.com>', '<<< 553 sorry, that domain isn’t in my list'),
    '553',
    null,
  ],
  ['a transcript with attempts at several hosts', RETRIED, '552', '5.2.2'],
  ['a report about several recipients: the one that failed', DELAYED_AND_FAILED, null, '5.1.2'],
  [
    'Amazon SES',
    '{"action":"failed","status":"5.1.1","diagnosticCode":"smtp; 550 5.1.1 user unknown"}',
    '550',
    '5.1.1',
  ],
  ['a JSON report without text', '{"smtp_code":550,"enhanced_status":"5.1.1"}', '550', '5.1.1'],
  [
    'Python’s smtplib',
    '{"bob@example.com": (550, b"5.1.1 <bob@example.com>: Recipient address rejected")}',
    '550',
    '5.1.1',
  ],
  ['a quoted reply in a forwarded message', '> 550 5.1.1 No such user', '550', '5.1.1'],
  ['a text behind the address', '550 bob@example.com... User unknown', '550', null],
  [
    'the remote server’s status rather than a vague one',
    lines('Status: 5.0.0', 'said: 550 5.1.1 unknown'),
    '550',
    '5.1.1',
  ],
  ['quoted-printable, broken inside the code', lines('said: 55=', '0 5.2.2 Mailbox full'), '550', '5.2.2'],
  ['mail.ru', '550 Message was not accepted -- invalid mailbox. Local mailbox bob@mail.ru is unavailable', '550', null],
  [
    'a message that is refused',
    'said: 554 Message not allowed - [PH01] Email not accepted for policy reasons',
    '554',
    null,
  ],
  ['too many messages', '421 Too many messages from your host; try again in 24 hours', '421', null],
  ['too many recipients', '452 Too many recipients received this hour', '452', null],
];

const NO_CODES: [what: string, text: string][] = [
  ['nothing', ''],
  ['words', 'The message could not be delivered.'],
  ['addresses of hosts', 'host mx.example.com[5.1.1.1] and 192.0.2.550, 10.5.1.1'],
  ['an IPv6 address', 'from [2001:db8:550::451] (550:451::1)'],
  ['a port', 'connect to mx.example.com:443 on port 550'],
  ['dates', 'on 5.1.2026, 2026-04-21 and 4.12.26; Sent: 5.1.26 at 4:51'],
  ['a queue id', 'queued as 4F550451A, 550A1, A550'],
  ['a message id', 'Message-ID: <550-5.1.1.451@mail.example.com>'],
  ['a telephone number', 'Tel: +1 (555) 250-4501 or 450-555-1234, 550 123 4567'],
  ['a street', '550 Madison Avenue\r\nNew York'],
  ['a size', 'Size: 550 bytes; 452 messages; Content-Length: 550'],
  ['a count', '550 bytes left\r\n452 messages waiting\r\n421 seconds'],
  ['an address', '550@example.com 5.1.1@example.com "550 5.1.1 x"@example.com o\'550-5.1.1@example.com'],
  ['a URL', 'see https://example.com/550/5.1.1?code=550 for more'],
  ['an amount', 'costs $550, 550% or 5.1.1%'],
  ['codes no server gives', '999 9.9.9 (7.1.1) 5.9.1234'],
];

describe('the codes of a bounce message', () => {
  it.each(TEXTS)('%s', (_, text, code, enhanced) => {
    expect(extractSmtpCodes(text)).toEqual({ code, enhanced });
  });

  it.each(NO_CODES)('are not %s', (_, text) => {
    expect(extractSmtpCodes(text)).toBeNull();
  });

  // Digits and codes wherever an address can have them, also behind quotes.
  const piece = fc
    .stringMatching(/^(?:[245][0-5]\d|[245]\.[0-7]\.\d|[a-z]|[-+_'!#]){1,6}$/)
    .filter((text) => !/^\.|\.\.|\.$/.test(text));
  const localPart = fc.oneof(
    piece,
    fc.constantFrom('550', '5.1.1', '550-5.1.1', '"550 5.1.1"', '"5.1.1 x"', '"a 450"'),
  );
  const email = fc
    .tuple(localPart, fc.constantFrom('example.com', '550.example', '5-1-1.example'))
    .map((parts) => parts.join('@'));

  it('never come from an address in it', () => {
    const around = (address: string) =>
      lines(`Your message to ${address} (<${address}>) failed.`, `${address}: said no`, `rfc822;${address}`);
    fc.assert(
      fc.property(email, (address) => {
        expect(extractSmtpCodes(around(address))).toBeNull();
      }),
    );
  });

  it('stay the same whatever address it contains', () => {
    const bounce = (address: string) =>
      POSTFIX.replaceAll('bob@example.com', address).replace('Status: 5.1.1', 'Status: 5.0.0');
    fc.assert(
      fc.property(email, (address) => {
        expect(extractSmtpCodes(bounce(address))).toEqual({ code: '550', enhanced: '5.1.1' });
      }),
    );
  });

  // Each would take hours if the time grew quadratically.
  it.each([
    '5',
    '550 ',
    '550-',
    '5.1.1 ',
    '5.',
    'a.',
    '"',
    '"a',
    ' ',
    '	',
    '\n',
    '\n5',
    '550\n',
    '550 5.1.1\n',
    'a:',
    '@ 5',
    '=\n',
    '550 a@',
    'a:550 ',
    '(((',
    'status',
    '<',
    '-',
    ' -',
  ])('are looked for in one pass through 256 KB of %j', (part) => {
    const found = extractSmtpCodes(`${part.repeat(Math.ceil(262_144 / part.length))}\nStatus: 5.4.4`);
    expect(found?.enhanced).toMatch(/^5\.(?:1\.1|4\.4)$/);
  });

  it('are all that comes out of any text', () => {
    const text = fc
      .array(fc.oneof(fc.string(), fc.constantFrom('550', '5.1.1', ' ', '-', '@', '\n', 'Status: ')))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (input) => {
        const { code, enhanced } = extractSmtpCodes(input) ?? { code: null, enhanced: null };
        for (const each of [code, enhanced]) if (each !== null) expect(input).toContain(each);
        expect(code ?? '250').toMatch(/^[245]\d\d$/);
        expect(enhanced ?? '2.0.0').toMatch(/^[245]\.\d{1,3}\.\d{1,3}$/);
      }),
    );
  });
});
