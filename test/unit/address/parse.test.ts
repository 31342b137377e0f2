import { describe, expect, test } from 'vitest';
import { type AddressFault, parseAddress } from '../../../src/domain/address/parse.ts';

const repeated = (text: string, times: number): string => text.repeat(times);
const label = (length: number): string => repeated('d', length);
/** A domain of exactly `length` octets in labels of at most 63. */
const domainOf = (length: number): string =>
  `${label(63)}.${label(63)}.${label(63)}.${label(length - 192 - 4)}.net`.slice(-length);

const equalityFormOf = (text: string): string | null => {
  const parsed = parseAddress(text);
  return parsed.ok ? parsed.address.normalised : null;
};

const faultOf = (text: string): AddressFault | null => {
  const parsed = parseAddress(text);
  return parsed.ok ? null : parsed.fault;
};

describe('accepts a mailbox and gives its equality form', () => {
  test.each([
    ['grace@navy.example', 'grace@navy.example', 'the plain case'],
    ['Grace.Hopper@Navy.EXAMPLE', 'grace.hopper@navy.example', 'case carries no meaning'],
    ['  \t grace@navy.example \r\n', 'grace@navy.example', 'surrounding white space is trimmed'],
    ['\uFEFFgrace@navy.example', 'grace@navy.example', 'a byte order mark from the start of a file is white space'],
    ["!#$%&'*+-/=?^_`{|}~@navy.example", "!#$%&'*+-/=?^_`{|}~@navy.example", 'RFC 5321 atext'],
    ['a.b.c@navy.example', 'a.b.c@navy.example', 'RFC 5321 Dot-string'],
    ['a@b.c', 'a@b.c', 'RFC 5321 sets no least length'],
    ['a@7seas.4u.co', 'a@7seas.4u.co', 'RFC 1123: a label may begin with a digit'],
    ['a@r3---x.navy.example', 'a@r3---x.navy.example', 'hyphens in the third and fourth place of an ASCII label'],
    ['xn--a@navy.example', 'xn--a@navy.example', 'A-labels stand in domains alone (RFC 3490 §1)'],
    ['a@navy.xn--p1ai', 'a@navy.xn--p1ai', 'an A-label that decodes'],
    ['a@NAVY.XN--P1AI', 'a@navy.xn--p1ai', 'an A-label in capitals'],
    ['a@axn--b.example', 'a@axn--b.example', 'xn-- inside a label means nothing'],
    [`${repeated('l', 64)}@navy.example`, `${repeated('l', 64)}@navy.example`, 'RFC 5321: 64 octets of local part'],
    [`a@${label(63)}.example`, `a@${label(63)}.example`, 'RFC 1035: 63 octets of label'],
    [`a@${domainOf(255)}`, `a@${domainOf(255)}`, 'RFC 5321: 255 octets of domain'],
    [`${repeated('l', 64)}@${domainOf(255)}`, `${repeated('l', 64)}@${domainOf(255)}`, '320 characters in all'],
    ['renée@navy.example', 'renée@navy.example', 'RFC 6531 local part'],
    ['rene\u0301e@navy.example', 'renée@navy.example', 'NFD and NFC are one address'],
    ['Ωμέγα@navy.example', 'ωμέγα@navy.example', 'non-ASCII case carries no meaning either'],
    ['محمد@navy.example', 'محمد@navy.example', 'right to left letters need no bidi controls'],
    ['🐙@navy.example', '🐙@navy.example', 'RFC 6531 allows any UTF-8 character; IDNA rules the domain alone'],
    [`${repeated('é', 32)}@navy.example`, `${repeated('é', 32)}@navy.example`, '64 octets in 32 characters'],
    ['"grace hopper"@navy.example', '"grace hopper"@navy.example', 'Quoted-string with a space'],
    ['"grace@home"@navy.example', '"grace@home"@navy.example', 'only the last @ separates'],
    ['"a..b"@navy.example', '"a..b"@navy.example', 'dots are free inside quotes'],
    ['""@navy.example', '""@navy.example', 'RFC 5321: *QcontentSMTP may be empty'],
    ['"say \\"hi\\" \\\\o"@navy.example', '"say \\"hi\\" \\\\o"@navy.example', 'quoted pairs'],
    ['"Grace"@navy.example', 'grace@navy.example', 'RFC 5321 §4.1.2: all quoted forms are equivalent'],
    ['"gr\\ace\\.hopper"@navy.example', 'grace.hopper@navy.example', 'needless escapes are dropped'],
    ['"grace\\ hopper"@navy.example', '"grace hopper"@navy.example', 'minimum quoting keeps the needed quotes'],
    ['"\\"grace\\""@navy.example', '"\\"grace\\""@navy.example', 'quotes that belong to the name stay'],
    ['"renée b"@navy.example', '"renée b"@navy.example', 'RFC 6531 extends qtext'],
  ])('%j → %j (%s)', (text, equalityForm) => {
    expect(equalityFormOf(text)).toBe(equalityForm);
  });
});

describe('refuses what is not a mailbox', () => {
  test.each<[string, AddressFault, string]>([
    ['', 'empty', 'nothing'],
    [' \t\r\n', 'empty', 'nothing but white space'],
    ['navy.example', 'no_at_sign', 'a domain alone'],
    ['grace＠navy.example', 'no_at_sign', 'U+FF20 is not @'],
    ['grace＠home@navy.example', 'forbidden_character', 'NFKC down the line would make it a second @'],
    ['@navy.example', 'local_empty', 'no local part'],
    ['grace@', 'domain_empty', 'no domain'],
    ['.grace@navy.example', 'local_syntax', 'leading dot'],
    ['grace.@navy.example', 'local_syntax', 'trailing dot'],
    ['gr..ace@navy.example', 'local_syntax', 'empty atom'],
    ['gr ace@navy.example', 'local_syntax', 'a space needs quotes'],
    ['grace @navy.example', 'local_syntax', 'folding white space'],
    ['grace,hopper@navy.example', 'local_syntax', 'special'],
    ['gr@ce@navy.example', 'local_syntax', 'a second @ needs quotes'],
    ['grace\\@home@navy.example', 'local_syntax', 'RFC 3696 erratum 246: no escapes without quotes'],
    ['grace(rear admiral)@navy.example', 'local_syntax', 'comment'],
    ['Grace <grace@navy.example>', 'local_syntax', 'display name'],
    ['"grace@navy.example', 'local_syntax', 'unclosed quote'],
    ['"grace\\"@navy.example', 'local_syntax', 'the closing quote is escaped'],
    ['"gra"ce"@navy.example', 'local_syntax', 'a quote inside'],
    ['"grace"hopper@navy.example', 'local_syntax', 'text after the closing quote'],
    ['"grace"."hopper"@navy.example', 'local_syntax', 'obs-local-part is not in RFC 5321'],
    ['"gr\\é"@navy.example', 'local_syntax', 'a quoted pair is ASCII'],
    ['"', 'no_at_sign', 'a quote alone'],
    ['"@navy.example', 'local_syntax', 'an opening quote alone'],
    ['"\\@navy.example', 'local_syntax', 'an escape with nothing after it'],
    ['gra\u0000ce@navy.example', 'forbidden_character', 'NUL'],
    ['gra\tce@navy.example', 'forbidden_character', 'tab'],
    ['"gra\tce"@navy.example', 'forbidden_character', 'qtextSMTP is %d32-126'],
    ['"gra\\\u007Fce"@navy.example', 'forbidden_character', 'DEL'],
    ['grace\r\nRCPT TO:<x@y.example>@navy.example', 'forbidden_character', 'SMTP command injection'],
    ['gra\u0085ce@navy.example', 'forbidden_character', 'C1 control'],
    ['gra\u00A0ce@navy.example', 'forbidden_character', 'no-break space'],
    ['gra\u200Bce@navy.example', 'forbidden_character', 'zero-width space'],
    ['gra\u200Dce@navy.example', 'forbidden_character', 'joiner: invisible between Latin letters'],
    ['gra\u00ADce@navy.example', 'forbidden_character', 'soft hyphen'],
    ['gra\u202Ece@navy.example', 'forbidden_character', 'right-to-left override'],
    ['gra\u2066ce@navy.example', 'forbidden_character', 'bidi isolate'],
    ['gra\u3164ce@navy.example', 'forbidden_character', 'Hangul filler, a letter that is blank'],
    ['gra\u2800ce@navy.example', 'forbidden_character', 'blank Braille pattern'],
    ['gra\uFE0Fce@navy.example', 'forbidden_character', 'variation selector'],
    ['gra\u{E0041}ce@navy.example', 'forbidden_character', 'tag character'],
    ['gra\uE000ce@navy.example', 'forbidden_character', 'private use'],
    ['gra\uFFFDce@navy.example', 'forbidden_character', 'replacement character: text lost before'],
    ['gra\uFFFFce@navy.example', 'forbidden_character', 'noncharacter'],
    ['gra\u0378ce@navy.example', 'forbidden_character', 'unassigned'],
    ['gra\uD800ce@navy.example', 'forbidden_character', 'lone high surrogate'],
    ['gra\uDC00ce@navy.example', 'forbidden_character', 'lone low surrogate'],
    ['\u0301grace@navy.example', 'forbidden_character', 'a mark with nothing to stand on'],
    ['grace.\u0301h@navy.example', 'forbidden_character', 'a mark that changes the look of the dot'],
    ['grace\u037Ehopper@navy.example', 'local_syntax', 'the Greek question mark is `;` in NFC'],
    [`${repeated('l', 65)}@navy.example`, 'local_too_long', '65 octets'],
    [`${repeated('é', 33)}@navy.example`, 'local_too_long', '66 octets in 33 characters'],
    [`"${repeated('l', 63)}"@navy.example`, 'local_too_long', 'quotes count'],
    [`${repeated('Ⱥ', 32)}@navy.example`, 'local_too_long', '64 octets, 96 in lower case'],
    [`a@${domainOf(256)}`, 'domain_too_long', '256 octets'],
    [`a@${repeated('ü.', 50)}example`, 'domain_too_long', 'A-labels are what counts'],
    [`a@${label(64)}.example`, 'domain_syntax', '64 octets of label'],
    [`a@${repeated('ü', 58)}.example`, 'domain_syntax', 'A-label over 63'],
    [`${repeated('l', 65)}@${domainOf(255)}`, 'too_long', '321 characters'],
    ['grace@navy', 'domain_single_label', 'one label'],
    ['grace@.navy.example', 'domain_syntax', 'leading dot'],
    ['grace@navy..example', 'domain_syntax', 'empty label'],
    ['grace@navy.example.', 'domain_syntax', 'RFC 5321 allows no root dot'],
    ['grace@-navy.example', 'domain_syntax', 'leading hyphen'],
    ['grace@navy-.example', 'domain_syntax', 'trailing hyphen'],
    ['grace@navy.example-', 'domain_syntax', 'trailing hyphen of the last label'],
    ['grace@na_vy.example', 'domain_syntax', 'underscore'],
    ['grace@navy.example:25', 'domain_syntax', 'port'],
    ['grace@ navy.example', 'domain_syntax', 'folding white space'],
    ['grace@(us)navy.example', 'domain_syntax', 'comment'],
    ['grace@navy\n.example', 'forbidden_character', 'control in the domain'],
    ['grace@[192.0.2.7]', 'domain_literal', 'IPv4 literal'],
    ['grace@[IPv6:2001:db8::7]', 'domain_literal', 'IPv6 literal'],
    ['grace@192.0.2.7', 'domain_syntax', 'an address literal without its brackets'],
    ['grace@navy.123', 'domain_syntax', 'RFC 3696: no numeric top-level name'],
    ['grace@navy.１２３', 'domain_syntax', 'the same in full-width digits'],
  ])('%j: %s (%s)', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });
});

test('keeps the local part as typed, in NFC', () => {
  const parsed = parseAddress(' Rene\u0301e+X@Navy.Example ');
  expect(parsed).toEqual({
    ok: true,
    address: { local: 'Renée+X', domain: 'navy.example', normalised: 'renée+x@navy.example' },
  });
});

test('plus tags and dots make another address', () => {
  const forms = ['gh@gmail.com', 'g.h@gmail.com', 'gh+navy@gmail.com'].map(equalityFormOf);
  expect(new Set(forms).size).toBe(3);
});

describe('a refused address still names its domain where there is one', () => {
  test.each([
    ['gr..ace@Navy.Example', 'navy.example', 'only the local part is wrong'],
    ['grace hopper@bücher.example', 'xn--bcher-kva.example', 'as A-labels'],
    [`${repeated('l', 400)}@navy.example`, 'navy.example', 'far too long'],
    ['grace@Navy', 'navy', 'one label is still a name'],
    ['grace@192.0.2.7', '192.0.2.7', 'a numeric one too'],
    ['Grace <grace@navy.example>', '', 'the text after the last @ is not a domain'],
    ['grace@[192.0.2.7]', '', 'a literal is not a domain'],
    [`grace@${repeated('a', 5000)}`, '', 'too long to be one'],
    ['grace', '', 'no @'],
    ['', '', 'nothing'],
  ])('%j → %j (%s)', (text, domain) => {
    expect(parseAddress(text)).toMatchObject({ ok: false, domain });
  });
});
