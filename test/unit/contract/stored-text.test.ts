import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsAddress, storedTextFault } from '../../../src/contract/stored-text.ts';
import { parseAddress } from '../../../src/domain/address/parse.ts';

describe('an address in a text', () => {
  it.each([
    ['ada@example.com'],
    ['mail ada.l+x@example.com, please'],
    ['Ada <ada@example.com>'],
    ['mailto:ada@example.com?subject=x'],
    ['(ada@example.com)'],
    ['ask ada@example.com.'],
    ['ada@example.com—call'],
    ['"ada l"@example.com'],
    ['a@b@example.com'],
    ['first@second\nada@example.com'],
    ['ada@forgetme。example'],
    ['ada@forgetme｡example'],
    ['ada@forgetme．example'],
    ['ada＠example.com'],
    ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
    ['ada\u200b@exam\u00adple.com'],
    ['аня@почта.рф'],
    ['ada@xn--80a1acny.xn--p1ai'],
    ['git@github.com:acme/shop'],
    ['{ada@example.com}'],
    ['ada@example.com?'],
    ['ada@example.com/x'],
    ['mailto:bob%40example.com'],
    ['https://user:secret@host.example/x'],
    ['bob＠münchen。de'],
    ['ada%2540example.com'],
    ['ada%25252540example.com'],
    ['%61da%40example%2Ecom'],
    ['ada%EF%BC%A0example.com'],
    ['ada&#64;example.com'],
    ['ada&#0064example.com'],
    ['ada&#x40;example.com'],
    ['ada&#65312;example.com'],
    ['ada&commat;example&period;com'],
    ['ada&amp;amp;commat;example.com'],
    ['ada&#37;40example.com'],
    ['ada%26%2364%3Bexample.com'],
    [String.raw`ada\u0040example.com`],
    [String.raw`ada\\x40example.com`],
    [String.raw`ada\u{40}example.com`],
    [String.raw`ada\u{0000040}example.com`],
    ['ada%u0040example.com'],
    ['ada%25u0040example.com'],
    ['ada=40example.com'],
    ['ada=40example=2Ecom'],
    ['to=3A ada=40mail.example=2ecom'],
    ['ada@example.com%2E5'],
    ['root@localhost'],
    ['ask ada.l@corp, please'],
    ['аня%40почта'],
    ['ada@example .com'],
    ['x@corpdom'],
    ["o'hara_2@corp"],
    ['田中@会社'],
    ['ADA@INTRANET.'],
    ['write to ada@corp-mail today'],
    ['lunch@noon with ada@corp'],
  ])('is detected: %j', (text) => {
    expect(holdsAddress(text)).toBe(true);
  });

  it.each([
    ['price 3@4.50 each'],
    ['foo@1.2.3'],
    ['@ada.example on the fediverse'],
    ['ada at example.com'],
    ['YWRhQGV4YW1wbGUuY29t'],
    ['width=40px height=40.5em'],
    ['https://shop.example/?page=40&size=400'],
    ['https://shop.example/?id=4012.html'],
    ['ada @ example.com'],
    ['example.com/@ada and "@ada"'],
    ['50% of 3@4.50 &#64; 2'],
    ['react@18.2.0'],
    ['v1@2.0-beta'],
    ['ada@[192.0.2.1]'],
    ['see you @5.'],
    ['react@latest'],
    ['@types/node@next'],
    ['5@USD'],
    ['swap@usd'],
    ['3x@tier2'],
    ['1.5kg@market-price'],
    ['lunch@noon'],
    ['Nike@H&M'],
    ['Meeting@HQ'],
    ['git@github'],
    ['foo@bar'],
    ['price:10@each'],
    ['ssh root@host1'],
    ['app@abc123f'],
    ['alpine@sha256:9a8b'],
    ['meet me@home'],
    ['hey@everyone!'],
    [`a@${'-.'.repeat(249)}`],
    ['@'.repeat(500)],
    [''],
  ])('is not found in %j', (text) => {
    expect(holdsAddress(text)).toBe(false);
  });
});

describe('whatever the service reads as an address', () => {
  it('is detected in any sentence', () => {
    fc.assert(
      fc.property(
        fc.emailAddress(),
        fc.constantFrom('', ' ', '(', '<', ': '),
        fc.constantFrom('', ' ', ')', '!'),
        (email, before, after) => {
          fc.pre(parseAddress(email).ok);
          expect(holdsAddress(`${before}${email}${after}`)).toBe(true);
        },
      ),
    );
  });

  it.each(['b.', '4@4', '-.', '-', '4@', '%40', '%25', '&amp;', '&#0', '\\', '\\u{0', '%u00', '=40a', '=2e', '\u3002'])(
    'is looked for in linear time among many of %j',
    (unit) => {
      expect(holdsAddress(`a@${unit.repeat(100_000)}`)).toBe(false);
    },
  );
});

describe('a text that is to be kept', () => {
  it.each([
    ['a NUL', 'a\0b', /NUL/],
    ['half a surrogate pair', 'a\ud800', /surrogate/],
    ['the other half', '\udc00a', /surrogate/],
    ['an address', 'ask ada@example.com', /address/],
  ])('must not contain %s', (_, text, fault) => {
    expect(storedTextFault(text)).toMatch(fault);
  });

  it.each(['', 'two\nlines\tand a tab', '😀', '@ada', '\u0001'])('may be %j', (text) => {
    expect(storedTextFault(text)).toBeNull();
  });
});
