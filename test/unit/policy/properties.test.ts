import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecideRequest } from '../../../src/contract/decision.ts';
import { FlatProperties } from '../../../src/contract/properties.ts';

const parse = (text: string) => FlatProperties.safeParse(JSON.parse(text));
const paths = (text: string): PropertyKey[][] => parse(text).error?.issues.map(({ path }) => path) ?? [];
const keyed = (count: number, value: unknown = 1) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, value])));

describe('flat properties', () => {
  it.each([
    '{}',
    '{"plan":"pro","seats":12,"trial":false,"a_2":-0.5}',
    `{"${'k'.repeat(64)}":1}`,
    '{"constructor":1,"prototype":"x"}',
    `{"text":"${'x'.repeat(256)}"}`,
    keyed(20),
    '{"package":"react@18.2.0","version":"v1@2.0"}',
    // No addresses: handles, prices, nothing before or behind the @.
    '{"handle":"@ada","price":"3 @ 2.50","host":"ada @localhost","left":"@example.com","right":"ada@"}',
  ])('take %s', (text) => {
    expect(parse(text)).toEqual({ success: true, data: JSON.parse(text) });
  });

  it.each([
    ['a key of another form', '{"Plan":1}'],
    ['an empty key', '{"":1}'],
    ['a key that is too long', `{"${'k'.repeat(65)}":1}`],
    ['a key that is an address', '{"ada@example.com":1}'],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['21 keys', keyed(21)],
    ['more than 2,048 bytes', keyed(9, 'x'.repeat(256))],
    ['more than 2,048 bytes of multi-byte text', keyed(4, '界'.repeat(256))],
    ['a list', '[]'],
    ['text', '"x"'],
    ['null', 'null'],
  ])('refuse %s as a whole', (_, text) => {
    expect(paths(text)).toEqual([[]]);
  });

  it.each([
    ['null', '{"ok":1,"key":null}'],
    ['a list', '{"ok":1,"key":[]}'],
    ['an object', '{"ok":1,"key":{"a":1}}'],
    ['a number too large for one', '{"ok":1,"key":1e999}'],
    ['text that is too long', `{"ok":1,"key":"${'x'.repeat(257)}"}`],
    ['an address', '{"ok":1,"key":"ada@example.com"}'],
    ['an address in a sentence', '{"ok":1,"key":"write to Ada <ada@example.com> now"}'],
    ['a NUL', '{"ok":1,"key":"a\\u0000b"}'],
    ['half a surrogate pair', '{"ok":1,"key":"\\ud800"}'],
    ['an address in full width', '{"ok":1,"key":"ada＠example。com"}'],
    ['an internationalised address', '{"ok":1,"key":"用户@例子.广告"}'],
  ])('name the key that holds %s', (_, text) => {
    expect(paths(text)).toEqual([['key']]);
  });

  it('repeat no address in any issue', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        for (const value of [{ key: email }, { [email]: 1 }, { key: `x ${email} y` }]) {
          const result = FlatProperties.safeParse(value);
          expect(result.success).toBe(false);
          expect(JSON.stringify(result.error?.issues)).not.toContain(email);
        }
      }),
    );
  });

  it('are read in linear time', () => {
    for (const text of ['4@'.repeat(128), `${'a'.repeat(127)}@${'4'.repeat(127)}`, 'a@4'.repeat(85)])
      expect(FlatProperties.safeParse({ key: text }).success).toBe(true);
  });
});

describe('a decision’s request', () => {
  it('names an attribute by its path', () => {
    const result = DecideRequest.safeParse({ email: 'ada@example.com', attributes: { mail: 'ada@example.com' } });
    expect(result.error?.issues.map(({ path }) => path)).toEqual([['attributes', 'mail']]);
  });

  it('ignores what it does not know', () => {
    expect(DecideRequest.parse({ email: 'ada@example.com', colour: 1 })).toEqual({ email: 'ada@example.com' });
  });
});
