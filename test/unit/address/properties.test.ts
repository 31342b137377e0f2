import fc from 'fast-check';
import { expect, test } from 'vitest';

import { canonicalise } from '../../../src/domain/address/canonical.ts';
import { maskAddress, parseAddress, parseDomain } from '../../../src/domain/address/parse.ts';

const units = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

/** Mostly valid, leaning on what folds, composes, escapes or separates. */
const lively = fc.string({
  unit: fc.constantFrom(
    ...'abZ9.+-_"\\ @',
    'É',
    'İ',
    'Σ',
    'ς',
    'ß',
    'ẞ',
    'K',
    'Ⱥ',
    '\u0301',
    '\u0323',
    '🐙',
    'ا',
    '한',
  ),
  maxLength: 24,
});
const domains = fc.oneof(
  fc.constantFrom(
    'gmail.com',
    'GoogleMail.com',
    'ya.ru',
    'me.com',
    'pm.me',
    'yahoo.fr',
    'bücher.example',
    'x.fastmail.com',
  ),
  fc.domain(),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((name) => `${name}.example`),
);
const mailboxes = fc.oneof(
  fc.tuple(lively, domains).map(([local, domain]) => `${local}@${domain}`),
  fc.tuple(lively, domains).map(([content, domain]) => `"${content.replace(/["\\]/g, '\\$&')}"@${domain}`),
  fc.tuple(fc.string({ unit: 'grapheme', maxLength: 24 }), domains).map(([local, domain]) => `${local}@${domain}`),
  fc.emailAddress(),
);
const addresses = mailboxes.map(parseAddress).filter((parsed) => parsed.ok);

test('no string makes it throw, lone surrogates included', () => {
  fc.assert(
    fc.property(fc.oneof(units, fc.string({ unit: 'binary' }), mailboxes), (text) => {
      expect(parseAddress(text).ok).toBeTypeOf('boolean');
      expect(parseDomain(text).ok).toBeTypeOf('boolean');
    }),
    { numRuns: 2000 },
  );
});

test('the equality form is itself an address and its own equality form', () => {
  fc.assert(
    fc.property(addresses, ({ address }) => {
      const again = parseAddress(address.normalised);
      expect(again).toMatchObject({ ok: true, address: { normalised: address.normalised, domain: address.domain } });
    }),
    { numRuns: 2000 },
  );
});

test('case, Unicode form and surrounding white space never make another address', () => {
  fc.assert(
    fc.property(addresses, fc.constantFrom('', ' ', '\r\n', '\t'), ({ address }, space) => {
      const retyped = `${space}${address.local.normalize('NFD')}@${address.domain.toUpperCase()}${space}`;
      expect(parseAddress(retyped)).toMatchObject({ ok: true, address: { normalised: address.normalised } });
    }),
    { numRuns: 2000 },
  );
});

test('within the limits of RFC 5321, in octets', () => {
  const octets = (text: string) => new TextEncoder().encode(text).length;
  fc.assert(
    fc.property(addresses, ({ address }) => {
      expect(octets(address.local)).toBeLessThanOrEqual(64);
      expect(octets(address.normalised)).toBeLessThanOrEqual(64 + 1 + 255);
      expect(address.domain).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
    }),
    { numRuns: 1000 },
  );
});

test('the canonical form is its own canonical form', () => {
  fc.assert(
    fc.property(addresses, ({ address }) => {
      const canonical = canonicalise(address);
      const at = canonical.lastIndexOf('@');
      const again = { local: canonical.slice(0, at), domain: canonical.slice(at + 1), normalised: canonical };
      expect(canonicalise(again)).toBe(canonical);
    }),
    { numRuns: 2000 },
  );
});

test('the mask holds one character of the local part, the same for addresses that are equal', () => {
  fc.assert(
    fc.property(addresses, ({ address }) => {
      const [first = ''] = address.normalised;
      expect(maskAddress(address)).toBe(`${first}•••@${address.domain}`);
    }),
    { numRuns: 1000 },
  );
});
