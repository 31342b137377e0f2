import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isShown, personalForm } from '../../../../src/domain/bulk/csv/header.ts';

const ADDRESSES = [
  'jane.doe @corp.com',
  'jane.doe@ corp.com',
  'jane.doe @ corp . com',
  'jane.doe(at)corp.com',
  'jane.doe (at) corp (dot) com',
  'jane.doe[at]corp.com',
  'jane.doe [AT] corp [DOT] com',
  'jane.doe {at} corp.com',
  'jane.doe<at>corp.com',
  'jane.doe (ät) corp.de',
  'jane.doe at corp dot com',
  'jane.doe at corp(dot)com',
  'jane.doe \uff20corp.com',
  'Jane Doe <jane@corp.com>',
  'jane@corp.com, john@corp.com',
  'email @corp.com',
  'Jürgen.Müller @bücher.example',
  '田中 @例え.example',
  'jane(@)corp.com',
];
const PHONES = [
  '+49 170 1234567',
  '+491701234567',
  '0049 170 123 45 67',
  '(0170) 123-4567',
  '(555) 010-9999',
  '555-010-9999',
  '555.010.9999 x12',
  '01.23.45.67.89',
  '020 7946 0958',
  'Tel. +49 30 123456',
  'Phone: (030) 123456',
  '\uff0b\uff14\uff19 170 1234567',
  '4915112345678',
];
/** Column titles from exports of address books, shops, newsletters and sales tools. */
const TITLES = [
  'Name',
  'First name',
  'Vorname',
  'E-mail 1 - Value',
  'Phone 1 - Type',
  'Mobile phone',
  'Created at',
  'Updated At UTC',
  'Last seen at',
  'created_at',
  'Address 1: ZIP/Postal Code',
  '% opened',
  'Revenue (EUR)',
  '#',
  'No.',
  'Opt-in',
  '24/7',
  'Employees 11-50',
  '1000+',
  'Price @ 3.50',
  'Score @ 90',
  'v1 @ 2.0',
  'Q1/2026',
  '2026',
  '2025/2026',
  '2024 - 2025',
  '2026-11-22',
  '22.11.2026',
  '11/22/2026',
  '22/11/26',
  '2026-11-22 08:00',
  '2026-11-22T08:00:00Z',
  '20261122',
  '202611',
  'Registered at acme.com',
  'Signed up at',
  'Met at Web Summit',
  'Look at this',
  'Rate (at close)',
  'IBAN',
  'UTM source',
  'Twitter (@handle)',
  'Kontakt-ID',
  '電話番号',
  'メールアドレス',
  'Телефон',
  'ISO 3166-1',
  '3 @ 4.5',
  '',
  'RFC 5321 / 5322',
  'Email (e.g. you@example.com)',
  'Your e-mail, like ada@example.com',
  'E-Mail (name(at)firma.de)',
];

describe('a cell of a first row', () => {
  it.each(ADDRESSES)('is like an address: %j', (cell) => {
    expect(personalForm(cell)).toBe('address');
    expect(isShown(cell)).toBe(false);
  });

  it.each(PHONES)('is like a phone number: %j', (cell) => {
    expect(personalForm(cell)).toBe('phone');
    expect(isShown(cell)).toBe(false);
  });

  it.each(TITLES)('is a title: %j', (cell) => expect(personalForm(cell)).toBeNull());

  it.each(['jane.doe (at) corp', 'jane<at>corp'])(
    'is not shown where it may be an address without a dot: %j',
    (cell) => {
      expect(isShown(cell)).toBe(false);
    },
  );

  it('is shown unless it holds an address or a phone number', () => {
    expect(TITLES.filter((title) => !isShown(title))).toEqual(TITLES.slice(-3));
  });

  it('is detected in the same way however long it is', () => {
    for (const part of ['a', 'a ', 'a.', ' ', '(at) ', '@', '1-', 'a at a(dot)', '@a.', '(', '\u00e4']) {
      expect(personalForm(part.repeat(20_000).slice(0, 60_000))).toBe(personalForm(part.repeat(400).slice(0, 400)));
    }
  });

  it('is personal wherever white space has got into an address', () => {
    const space = fc.stringMatching(/^[ \t\u00a0]{0,2}$/);
    fc.assert(
      fc.property(fc.emailAddress(), space, space, (email, before, behind) => {
        const [local, domain] = email.split('@') as [string, string];
        fc.pre(/[a-z0-9]$/i.test(local));
        expect(personalForm(`${local}${before}@${behind}${domain}`)).toBe('address');
      }),
      { numRuns: 1_000 },
    );
  });
});
