import { describe, expect, test } from 'vitest';
import { CANONICAL_RULES, canonicalise } from '../../../src/domain/address/canonical.ts';
import { parseAddress } from '../../../src/domain/address/parse.ts';

const canonicalOf = (text: string): string => {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.fault);
  return canonicalise(parsed.address);
};

describe('gives one form to the addresses a provider documents as one mailbox', () => {
  test.each([
    ['G.Hopper+navy@googlemail.com', 'ghopper@gmail.com', 'dots, tag and the other domain'],
    ['ghopper+a+b@gmail.com', 'ghopper@gmail.com', 'a tag begins at the first plus'],
    ['"g.hopper"@gmail.com', 'ghopper@gmail.com', 'needless quotes'],
    ['g.hopper+navy@outlook.com', 'g.hopper@outlook.com', 'dots count at Outlook'],
    ['ghopper+navy@hotmail.co.uk', 'ghopper@hotmail.co.uk', 'names at national domains are their own'],
    ['g.hopper+navy@me.com', 'g.hopper@icloud.com', 'one name at icloud.com, me.com and mac.com'],
    ['g.hop-per_+navy@pm.me', 'ghopper@proton.me', 'dot, hyphen and underscore are transparent at Proton'],
    ['ghopper+navy@fastmail.fm', 'ghopper@fastmail.fm', 'Fastmail tag'],
    ['navy@ghopper.fastmail.com', 'ghopper@fastmail.com', 'Fastmail subdomain addressing'],
    ['g.hopper+navy@ya.ru', 'g-hopper@yandex.ru', 'dot and hyphen are one at Yandex'],
    ['ghop-navy@yahoo.com', 'ghop-@yahoo.com', 'keywords of one base name'],
    ['ghop-army@yahoo.com', 'ghop-@yahoo.com', 'keywords of one base name'],
    ['g.h+x@runbox.com', 'g.h@runbox.com', 'Runbox tag'],
  ])('%j → %j (%s)', (text, canonical) => {
    expect(canonicalOf(text)).toBe(canonical);
  });
});

describe('never merges what no provider documents', () => {
  test.each([
    ['g.hopper+navy@navy.example', 'g.hopper+navy@navy.example', 'unknown domain'],
    ['g.hopper+navy@mail.gmail.com', 'g.hopper+navy@mail.gmail.com', 'a subdomain of a known one'],
    ['a@b.ghopper.fastmail.com', 'a@b.ghopper.fastmail.com', 'subdomain addressing is one label deep'],
    ['navy@ghopper.outlook.com', 'navy@ghopper.outlook.com', 'and not at other providers'],
    ['ghop@yahoo.com', 'ghop@yahoo.com', 'a login is not the base name of the same spelling'],
    ['g.h+x@yahoo.com', 'g.h+x@yahoo.com', 'Yahoo knows no plus tags and its dots count'],
    ['ghop-navy@yahoo.co.jp', 'ghop-navy@yahoo.co.jp', 'another company'],
    ['+navy@gmail.com', '+navy@gmail.com', 'a tag without a name'],
    ['-navy@yahoo.com', '-navy@yahoo.com', 'a keyword without a base name'],
    ['"g h+x"@gmail.com', '"g h+x"@gmail.com', 'quoted names do not exist at a known provider'],
    ['g.hoppér+x@gmail.com', 'g.hoppér+x@gmail.com', 'names in UTF-8 do not exist there either'],
  ])('%j → %j (%s)', (text, canonical) => {
    expect(canonicalOf(text)).toBe(canonical);
  });
});

test('every row gives its reason, and every domain is in one row', () => {
  const domains = CANONICAL_RULES.flatMap((rule) => rule.domains);
  expect(new Set(domains).size).toBe(domains.length);
  expect(CANONICAL_RULES.every((rule) => rule.reason.join(' ').length > 40)).toBe(true);
  expect(CANONICAL_RULES.every((rule) => rule.domain === undefined || rule.domains.length > 1)).toBe(true);
});
