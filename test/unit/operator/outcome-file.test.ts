import { describe, expect, it, vi } from 'vitest';
import { readOutcomeFile, secondsIn } from '../../../scripts/operator/outcome-file.ts';
import type { MailOutcome } from '../../../src/domain/feedback/outcomes.ts';

const NOW_S = 1_794_995_200;
const read = (text: string, as: MailOutcome | null = null) =>
  readOutcomeFile(new TextEncoder().encode(text), as, NOW_S);
const AT = Date.UTC(2026, 10, 18, 9, 46, 40) / 1_000;

describe('an export of outcomes', () => {
  it.each([
    [
      'SendGrid’s activity',
      [
        'processed,message_id,event,subject,from,email,reason,attempt,url,type',
        '2026-11-18 09:46:40,m1,delivered,Hi,hello@shop.example,ada@business.test,,,,',
        '2026-11-18 09:46:40,m2,bounce,Hi,hello@shop.example,bob@business.test,550 5.1.1 unknown,,,bounce',
        '2026-11-18 09:46:40,m3,bounce,Hi,hello@shop.example,cy@business.test,550 5.7.1 blocked,,,blocked',
        '2026-11-18 09:46:40,m7,bounce,Hi,hello@shop.example,gus@business.test,,,,blocked',
        '2026-11-18 09:46:40,m4,processed,Hi,hello@shop.example,di@business.test,,,,',
        '2026-11-18 09:46:40,m5,dropped,Hi,hello@shop.example,ed@business.test,Bounced Address,,,',
        '2026-11-18 09:46:40,m6,dropped,Hi,hello@shop.example,flo@business.test,Unsubscribed Address,,,',
      ],
      [
        ['ada', 'delivered', undefined],
        ['bob', 'hard_bounce', '550 5.1.1 unknown'],
        ['cy', 'soft_bounce', '550 5.7.1 blocked'],
        ['ed', 'hard_bounce', 'Bounced Address'],
      ],
    ],
    [
      'Amazon’s suppression list',
      [
        'Email address,Suppression reason,Last update time',
        'ada@business.test,BOUNCE,2026-11-18T09:46:40Z',
        'bob@business.test,COMPLAINT,2026-11-18T09:46:40Z',
      ],
      [
        ['ada', 'hard_bounce', undefined],
        ['bob', 'complaint', undefined],
      ],
    ],
    [
      'Amazon’s message insights',
      [
        'MessageId,FromEmailAddress,Destination,Isp,LastDeliveryEvent,LastDeliveryEventTimestamp',
        'm1,hello@shop.example,ada@business.test,X,PERMANENT_BOUNCE,2026-11-18T09:46:40.000Z',
        'm2,hello@shop.example,bob@business.test,X,DELIVERY,2026-11-18T09:46:40.000Z',
        'm3,hello@shop.example,cy@business.test,X,SEND,2026-11-18T09:46:40.000Z',
      ],
      [
        ['ada', 'hard_bounce', undefined],
        ['bob', 'delivered', undefined],
      ],
    ],
    [
      'Postmark’s bounces',
      [
        'ID;Type;Email;From;BouncedAt;Details',
        '1;HardBounce;ada@business.test;hello@shop.example;2026-11-18T09:46:40Z;smtp;550 5.1.1',
        '2;SoftBounce;bob@business.test;hello@shop.example;2026-11-18T09:46:40Z;smtp',
        '3;AutoResponder;cy@business.test;hello@shop.example;2026-11-18T09:46:40Z;',
      ],
      [
        ['ada', 'hard_bounce', undefined],
        ['bob', 'soft_bounce', undefined],
      ],
    ],
    [
      'Postmark’s suppressions',
      [
        'EmailAddress,SuppressionReason,Origin,CreatedAt',
        'ada@business.test,HardBounce,Recipient,2026-11-18T10:46:40+01:00',
        'bob@business.test,ManualSuppression,Customer,2026-11-18T09:46:40Z',
        'cy@business.test,SpamComplaint,Recipient,2026-11-18T09:46:40Z',
      ],
      [
        ['ada', 'hard_bounce', undefined],
        ['cy', 'complaint', undefined],
      ],
    ],
    [
      'Mailgun’s bounces',
      [
        'address,code,error,created_at',
        'ada@business.test,550,5.1.1 No such mailbox,"Wed, 18 Nov 2026 09:46:40 UTC"',
        'bob@business.test,550,,"Wed, 18 Nov 2026 09:46:40 UTC"',
      ],
      [
        ['ada', 'hard_bounce', '550 5.1.1 No such mailbox'],
        ['bob', 'hard_bounce', '550'],
      ],
    ],
    [
      'Mailgun’s logs',
      [
        'timestamp,event,severity,recipient,sender',
        `${AT}.25,failed,permanent,ada@business.test,hello@shop.example`,
        `${AT}.25,failed,temporary,bob@business.test,hello@shop.example`,
        `${AT}.25,opened,,cy@business.test,hello@shop.example`,
      ],
      [
        ['ada', 'hard_bounce', undefined],
        ['bob', 'soft_bounce', undefined],
        ['cy', 'delivered', undefined],
      ],
    ],
  ])('is read: %s', (_, lines, expected) => {
    const { rows, silent } = read(`\ufeff${lines.join('\r\n')}\r\n`);
    expect(rows.map(({ email, outcome, smtp_code }) => [email.split('@')[0], outcome, smtp_code])).toEqual(expected);
    expect(rows.every(({ at }) => at === AT)).toBe(true);
    expect(silent).toBe(lines.length - 1 - expected.length);
  });

  it('must be given a kind where the list has none, and is as old as its file without times', () => {
    const list = 'email,created,reason,status\nada@business.test,1794995200,550 5.1.1 unknown,5.1.1\n';
    expect(() => read(list)).toThrow(/give --as/);
    expect(read(list, 'hard_bounce').rows).toEqual([
      { email: 'ada@business.test', outcome: 'hard_bounce', at: AT, smtp_code: '550 5.1.1 unknown 5.1.1' },
    ]);
    expect(read('ada@business.test\nbob@business.test\n', 'complaint').rows).toEqual([
      { email: 'ada@business.test', outcome: 'complaint', at: NOW_S },
      { email: 'bob@business.test', outcome: 'complaint', at: NOW_S },
    ]);
  });

  it('without addresses, or that is not text, is refused', () => {
    expect(() => read('a,b\n1,2\n')).toThrow(/no column with addresses/);
    expect(() => readOutcomeFile(Uint8Array.of(0xff, 0xfe, 0x00), null, NOW_S)).toThrow(/UTF-8/);
  });
});

describe('a time', () => {
  it.each([
    ['1794995200', AT],
    ['1794995200123', AT],
    ['2026-11-18 09:46:40', AT],
    ['2026/11/18 09:46:40', AT],
    ['2026-11-18T09:46:40.123Z', AT],
    ['2026-11-18T10:46:40+01:00', AT],
    ['Wed, 18 Nov 2026 09:46:40 UTC', AT],
    ['2026-11-18', Date.UTC(2026, 10, 18) / 1_000],
    ['2026-11-18T09:46:40', AT],
    ['2026-11-18T09:46:40Z', AT],
    ['2026-11-18 09:46:40 Z', AT],
    ['2026-11-18 10:46:40+01', AT],
    ['2026-11-18 04:46:40 -0500', AT],
    ['11/18/2026 09:46:40', AT],
    ['11-18-2026 09:46:40', AT],
    ['Nov 18, 2026 9:46:40 AM', AT],
    ['Nov 18, 2026, 9:46:40 AM', AT],
    ['Nov 18, 2026 4:46:40 AM EST', AT],
    ['Wed Nov 18 2026 10:46:40 GMT+0100 (CET)', AT],
    ['Wed, 18 Nov 2026 09:46:40', AT],
    ['18 Nov 2026', Date.UTC(2026, 10, 18) / 1_000],
    ['550', null],
    ['5.1.1', null],
    ['yesterday', null],
    ['', null],
  ])('%s, on a machine of any zone', (cell, expected) => {
    for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
      vi.stubEnv('TZ', zone);
      expect([zone, new Date(AT * 1_000).getTimezoneOffset() === 0]).toEqual([zone, zone === 'UTC']);
      expect(secondsIn(cell)).toBe(expected);
    }
    vi.unstubAllEnvs();
  });
});
