/**
 * The Bidi rule, RFC 5893 §2. Regular expressions don't know Bidi_Class; these are the classes of the code points IDNA
 * 2008 allows (Unicode 17, checked against tr46 in test/support/idna-oracle.ts). Every other code point is class L.
 */

/** R, AL and AN: the blocks of scripts written from right to left, except the classes below. */
const RIGHT_TO_LEFT =
  /[[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]--\p{Mn}--[\u06F0-\u06F9]]/v;
const ARABIC_NUMBER = /[\u0660-\u0669\u{10D30}-\u{10D39}\u{10D40}-\u{10D49}]/v;
const EUROPEAN_NUMBER = /[0-9\u06F0-\u06F9]/v;
/** NSM: the non-spacing marks, except five that are class L. */
const MARK = /[\p{Mn}--[\u0CBF\u0CC6\u{11A07}\u{11A08}\u{11C3F}]]/v;
/** ES, ON and BN. */
const NEUTRAL = /[\-\u00B7\u02B9\u02BA\u02C6-\u02CF\u02EC\u0375\u2E2F\u30FB\uA67F\uA717-\uA71F\uA788\u200C\u200D]/v;

/** Whether a label makes its whole name a Bidi domain name. */
export const holdsRightToLeft = (label: string): boolean => RIGHT_TO_LEFT.test(label);

/** Whether a label of a Bidi domain name keeps rules 1 to 6. */
export function keepsBidiRule(label: string): boolean {
  const characters = Array.from(label);
  const first = characters[0] ?? '';
  const last = characters.findLast((character) => !MARK.test(character)) ?? '';
  const fromRight = RIGHT_TO_LEFT.test(first) && !ARABIC_NUMBER.test(first);
  if (fromRight) {
    return (
      !characters.some(isLeftToRight) &&
      (RIGHT_TO_LEFT.test(last) || EUROPEAN_NUMBER.test(last)) &&
      !(EUROPEAN_NUMBER.test(label) && ARABIC_NUMBER.test(label))
    );
  }
  return isLeftToRight(first) && !holdsRightToLeft(label) && (isLeftToRight(last) || EUROPEAN_NUMBER.test(last));
}

const isLeftToRight = (character: string): boolean =>
  character !== '' && ![RIGHT_TO_LEFT, EUROPEAN_NUMBER, MARK, NEUTRAL].some((others) => others.test(character));
