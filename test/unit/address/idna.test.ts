import { describe, expect, test } from 'vitest';

import { parseDomain } from '../../../src/domain/address/parse.ts';

const aLabels = (text: string): string | null => {
  const parsed = parseDomain(text);
  return parsed.ok ? parsed.domain : null;
};

describe('maps an internationalised domain to lower-case A-labels', () => {
  test.each([
    ['bücher.example', 'xn--bcher-kva.example', 'RFC 3492 §7.1 encoding'],
    ['BÜCHER.Example', 'xn--bcher-kva.example', 'UTS 46 folds case'],
    ['bu\u0308cher.example', 'xn--bcher-kva.example', 'NFD and NFC are one name'],
    ['ｎａｖｙ.example', 'navy.example', 'full-width letters are the ASCII ones'],
    ['navy。example', 'navy.example', 'the ideographic full stop separates labels (RFC 3490 §3.1)'],
    ['navy．example', 'navy.example', 'so does the full-width one'],
    ['straße.example', 'xn--strae-oqa.example', 'non-transitional: ß is a letter of its own'],
    ['σοφός.example', 'xn--0xagbn4a.example', 'and so is final sigma'],
    ['ايران.example', 'xn--mgba3a4fra.example', 'right to left label'],
    ['نامه\u200Cای.example', 'xn--mgba3gch31f060k.example', 'ZWNJ where Persian writes one (RFC 5892 A.1)'],
    ['क्\u200Dष.example', 'xn--11b2ezcw70k.example', 'ZWJ after a virama (RFC 5892 A.2)'],
    ['col·lecció.example', 'xn--collecci-ioa91d.example', 'middle dot between two l (A.3)'],
    ['カ・メラ.example', 'xn--lckxfya4e.example', 'katakana middle dot among kana (A.7)'],
    ['〇一.example', 'xn--w6j351g.example', 'U+3007 is PVALID though a number, not a letter'],
    ['ab--cd.bücher.example', 'ab--cd.xn--bcher-kva.example', 'an ASCII label beside a U-label keeps its hyphens'],
  ])('%j → %j (%s)', (text, domain) => {
    expect(aLabels(text)).toBe(domain);
  });
});

describe('refuses what IDNA 2008 disallows', () => {
  test.each([
    ['🐙.example', 'emoji: valid in UTS 46, DISALLOWED in RFC 5892'],
    ['i♥navy.example', 'symbol'],
    ['navy™x🐙.example', 'mapped and unmapped symbols together'],
    ['√2.example', 'mathematical symbol'],
    ['na–vy.example', 'en dash'],
    ['na\u200Bvy.example', 'zero-width space, which UTS 46 would drop'],
    ['na\u00ADvy.example', 'soft hyphen, likewise'],
    ['na\uFE0Fvy.example', 'variation selector, likewise'],
    ['na\u200Dvy.example', 'joiner out of context'],
    ['na\u200Cvy.example', 'non-joiner out of context'],
    ['na\u202Evy.example', 'bidi override'],
    ['na\uE000vy.example', 'private use'],
    ['na\uD800vy.example', 'lone surrogate'],
    ['na\uFFFDvy.example', 'replacement character'],
    ['na\u0378ü.example', 'unassigned'],
    ['\u0301navy.example', 'leading combining mark'],
    ['ـنص.example', 'tatweel, DISALLOWED by exception'],
    ['가\u11FF.example', 'old Hangul jamo'],
    ['a·b.example', 'middle dot outside l·l'],
    ['·.example', 'middle dot alone'],
    ['͵a.example', 'Greek keraia before Latin'],
    ['a׳.example', 'geresh after Latin'],
    ['a・ü.example', 'katakana middle dot without kana or Han'],
    ['ب٣۴.example', 'both Arabic digit sets in one label'],
    ['1ا.example', 'RFC 5893: a right to left label begins with a letter'],
    ['اa.example', 'RFC 5893: Latin in a right to left label'],
    ['-bücher.example', 'leading hyphen'],
    ['bücher-.example', 'trailing hyphen'],
    ['bü--cher.example', 'RFC 5891 §4.2.3.1: hyphens in the third and fourth place of a U-label'],
    ['bü_cher.example', 'underscore'],
    ['bücher..example', 'empty label'],
    ['bücher。', 'a trailing ideographic dot'],
    ['bücher', 'one label'],
    ['a℀b.example', 'U+2100 maps to a/c'],
    ['na＠vy.example', 'full-width @'],
    ['xn--.example', 'an A-label without content'],
    ['xn--a.example', 'an A-label that does not decode'],
    ['xn--navy-.example', 'an A-label of ASCII'],
    ['xn--99999999.example', 'a code point past U+10FFFF'],
    ['xn--55qx5d8y0bü.example', 'non-ASCII after xn--'],
    ['xn--bcher-kvb\u200B.example', 'an invisible character in an A-label'],
    ['xn--i-7iq.example', 'the A-label of a symbol (i❤)'],
    ['xn--Bcher-Kva-.example', 'an A-label that breaks when decoded'],
  ])('%j (%s)', (text) => {
    expect(aLabels(text)).toBeNull();
  });
});

test('a name that is too long is not looked into any further', () => {
  // The symbol is refused where the name is short enough.
  const labels = (count: number) => parseDomain(`☃.${'ü.'.repeat(count)}example`);
  expect(labels(20)).toMatchObject({ ok: false, fault: 'domain_syntax' });
  expect(labels(120)).toMatchObject({ ok: false, fault: 'domain_too_long' });
});

test('leaves white space to the caller', () => {
  expect(parseDomain(' navy.example')).toMatchObject({ ok: false, fault: 'domain_syntax' });
});
