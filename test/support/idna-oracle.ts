import fc from 'fast-check';
import punycode from 'punycode/punycode.js';
import { toASCII, toUnicode } from 'tr46';
import { MAX_DOMAIN, isAscii, keepsIdna2008Rules, toALabels } from '../../src/domain/address/idna.ts';

const OPTIONS = { checkBidi: true, checkJoiners: true } as const;
/** RFC 5892 §2.3 without the joiners; UTS 46 drops these silently. */
const INVISIBLE = /[\p{DI}--[\u200C\u200D]]/v;

/**
 * A name in A-labels by the reference implementation of UTS 46, or null if a label breaks a further rule of IDNA 2008.
 */
function toALabelsByTr46(name: string): string | null {
  const ascii = INVISIBLE.test(name) ? null : toASCII(name, OPTIONS);
  if (ascii === null) return null;
  const labels = toUnicode(ascii, OPTIONS).domain.split('.');
  return labels.every((label) => isAscii(label) || keepsIdna2008Rules(label)) ? ascii : null;
}

/** Symbols, and scripts whose thousands of characters are alike to every rule. */
const VAST =
  /[\p{So}\p{Script=Han}\p{Script=Hangul}\p{Script=Tangut}\p{Script=Yi}\p{Script=Cuneiform}\p{Script=Egyptian_Hieroglyphs}\p{Script=Bamum}]/v;

/** Every assigned code point, one in 97 of the vast scripts. */
export const CODE_POINTS = Array.from({ length: 0xf0000 - 0x80 }, (_, i) => String.fromCodePoint(0x80 + i)).filter(
  (character, i) => !/[\p{Cn}\p{Co}\p{Cs}]/v.test(character) && (i % 97 === 0 || !VAST.test(character)),
);

/** Places in which a code point's joining, direction, case, width and marks count. */
export const PLACES: readonly ((character: string) => string)[] = [
  (c) => `${c}.example`,
  (c) => `a${c}.example`,
  (c) => `${c}b.example`,
  (c) => `xn--${punycode.encode(`a${c}`)}.example`,
  (c) => `\u0627${c}.example`,
  (c) => `\u0627${c}\u0627.example`,
  (c) => `\u0627.${c}a`,
  (c) => `\u0627.a${c}1`,
  (c) => `${c}\u200C\u0628.example`,
  (c) => `\u0628\u200C${c}.example`,
  (c) => `\u0628${c}\u200C${c}\u0628.example`,
  (c) => `${c}\u200D.example`,
  (c) => `example.${c}`,
];

const spirited = fc.constantFrom(
  ...'abz019-.。．ABßςΣẞıİﬁᾳ·͵׳・٣۴بياאבत한가ーЖ',
  '\u0301',
  '\u064B',
  '\u094D',
  '\u200C',
  '\u200D',
  '\u00AD',
  '\u0640',
  '☃',
  '🐙',
  '🏴‍☠️',
  'xn--',
  '--',
  '\uD800',
);
const letters = fc.constantFrom(...CODE_POINTS);
const label = fc
  .array(fc.oneof(spirited, spirited, letters), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''));
const encoded = fc.oneof(
  label.map((text) => `xn--${punycode.encode(text)}`),
  fc.stringMatching(/^xn--[a-z0-9-]{0,12}$/),
);

/** Names of any script, valid and invalid, including A-labels and long names. */
export const names = fc
  .array(
    fc.oneof(
      label,
      label,
      encoded,
      label.map((text) => text.repeat(20)),
      fc.domain(),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((labels) => labels.join('.'));

/** Names that are no host names are refused elsewhere. */
const hostName = (ascii: string | null): string | null =>
  ascii !== null && /^[a-z0-9.-]*$/.test(ascii) ? ascii : null;

/** Names in `tried` that we read differently from tr46. Names that are too long may fail for another reason. */
export const readOtherwise = (tried: Iterable<string>): string[] =>
  Array.from(tried).filter((name) => {
    const ascii = toALabels(name);
    return (ascii === null || ascii.length <= MAX_DOMAIN) && hostName(ascii) !== hostName(toALabelsByTr46(name));
  });
