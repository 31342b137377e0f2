import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesIn, TABLES } from '../../scripts/lists/tables.ts';
import { parseAddress } from '../../src/domain/address/parse.ts';
import { createClient } from '../src/client.ts';

const { isValidEmail, isValidContactListEmail: isContact } = createClient({ apiKey: '' });

/** Without a key nothing is sent: what remains of `isValidEmail` is its local syntax check. */
const passesLocally = isValidEmail;

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

describe('the local syntax check', () => {
  const piece = fc.string({
    unit: fc.constantFrom(...'aZ09.-_+"\\ @!#()<>,;:[]\u0000\u007f\téß例。．é\u200b💌xn'),
    maxLength: 70,
  });
  const addressLike = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 340 }),
    fc
      .tuple(piece, piece, fc.constantFrom('com', 'example.com', '1', '', 'xn--p1ai', 'みんな'))
      .map(([l, d, t]) => `${l}@${d}.${t}`),
    fc.tuple(fc.emailAddress(), fc.constantFrom('', ' ', '\n', '.', 'x')).map(([address, end]) => address + end),
  );

  it('refuses nothing that the service accepts', async () => {
    await fc.assert(
      fc.asyncProperty(addressLike, async (text) => {
        if (parseAddress(text).ok) expect(await passesLocally(text)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('decides as the service does within ASCII, A-labels aside', async () => {
    await fc.assert(
      fc.asyncProperty(addressLike, async (text) => {
        if (isAscii(text) && !/xn--/i.test(text)) expect(await passesLocally(text)).toBe(parseAddress(text).ok);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    'ada@example.com',
    ' ada@example.com\n',
    '\u200bada@example.com\u202c',
    '"a b"@example.com',
    '""@example.com',
    'ada@EXAMPLE.co',
    'δοκιμή@παράδειγμα.δοκιμή',
    'ada@例え。テスト',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.com`,
  ])('accepts %j as the service does', async (text) => {
    expect([await passesLocally(text), parseAddress(text).ok]).toEqual([true, true]);
  });

  it.each([
    '',
    '@',
    'ada',
    'ada@example',
    'ada@@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'ada@-a.com',
    'ada@a-.com',
    'ada@a..com',
    'ada@192.0.2.1',
    'ada@[192.0.2.1]',
    'Ada <ada@example.com>',
    'ada@example.com, bob@example.com',
    'a\u0000b@example.com',
    'ada\u00a0l@example.com',
    'ada＠example.com',
    'mailto:ada@example.com',
    '<ada@example.com>',
    '“ada@example.com”',
    "'ada@example.com'",
    'ada@exam\u00adple.com',
    'ada@example.com.',
    `${'é'.repeat(33)}@example.com`,
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(64)}.com`,
    `ada@${'a.'.repeat(127)}com`,
  ])('refuses %j as the service does', async (text) => {
    expect([await passesLocally(text), parseAddress(text).ok]).toEqual([false, false]);
  });

  it('is linear in what it is given', async () => {
    for (const text of ['a.'.repeat(200_000), `${'a'.repeat(400_000)}@`, `"${'\\"'.repeat(150)}`, '-'.repeat(400_000)])
      expect(await passesLocally(`${text}@example.com`)).toBe(false);
  });
});

describe('isValidContactListEmail', () => {
  it.each([
    'ada@example.com',
    'Ada.Lovelace@Example.co.uk',
    'a1@gmail.com',
    'o’neil@outlook.com',
    'ada_b@mail.com',
    'ada@ymail.com',
    'ada@hotmail.fr',
    'ada@yahoo.co.uk',
    'ada@cloud.com',
    'info@example.com',
    'zoë@bücher.example',
    ' ada@example.com ',
  ])('accepts %j', (email) => {
    expect(isContact(email)).toBe(true);
  });

  it.each([
    ['broken syntax', 'ada@example'],
    ['broken syntax', 'ada example@gmail.com'],
    ['no string', undefined as unknown as string],
    ['a plus-tag', 'ada+news@example.com'],
    ['a name of digits alone', '12345@example.com'],
    ['a name of digits alone', '123.456-7_8@example.com'],
    ['a quoted name', '"ada"@example.com'],
    ['a letter missing', 'ada@gmal.com'],
    ['a letter doubled', 'ada@hotmaill.com'],
    ['two letters swapped', 'ada@gmial.com'],
    ['two letters swapped', 'ada@YAHOO.CMO'],
    ['a wrong key', 'ada@gnail.com'],
    ['a letter missing behind the dot', 'ada@gmail.co'],
    ['a letter missing behind the dot', 'ada@outlook.cm'],
    ['a wrong key behind the dot', 'ada@hotmail.con'],
    ['both', 'ada@yaho.con'],
  ])('rejects %s: %j', (_, email) => {
    expect(isContact(email)).toBe(false);
  });

  it('never takes a domain with real mailboxes for a misspelling', () => {
    const domains = [TABLES.consumerProviders, TABLES.relayServices, TABLES.knownDomains].flatMap((table) =>
      namesIn(table),
    );
    expect(domains.length).toBeGreaterThan(100);
    expect(domains.filter((domain) => !isContact(`ada@${domain}`))).toEqual([]);
  });

  it('rejects nothing but what its description names', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const { ok } = parseAddress(email);
        const [local = ''] = email.split('@');
        fc.pre(
          ok && !local.includes('+') && !/^[\d._-]+$/.test(local) && !/mail|yahoo|look|cloud|aol|live|msn/.test(email),
        );
        expect(isContact(email)).toBe(true);
      }),
    );
  });
});
