import { unnumbered } from '../typed-address.ts';

/** A letter this often in a row is a finger left on the key. */
const SAME_MIN = 4;
/** Each part at least so long: `aaabbb`; not `aabb`, which may be initials. */
const PART_MIN = 3;
/** `hahaha`, `abcdabcdabcd`. Twice alone is a nickname (Zsazsa, Tomtom). */
const [PERIOD_MAX, TIMES_MIN, CYCLE_MIN] = [4, 3, 6];
const VOWEL = /[aeiouy]/;

/** The letters of a text that is one letter alone, however often. */
export const isOneLetter = (text: string): boolean =>
  text !== '' && Array.from(text).every((letter) => letter === text[0]);

/** Whether the text is one letter or a few of them, over and over: `aaaa`, `xxxyyy`, `lalala`, `sdgsdg`. */
export function isRepeated(text: string): boolean {
  if (text.length < SAME_MIN) return false;
  const parts = text.match(/(.)\1*/gsu) ?? [];
  if (parts.every((part) => part.length >= PART_MIN)) return true;
  const period = periodOf(text);
  if (period > PERIOD_MAX || text.length < CYCLE_MIN) return false;
  return text.length >= period * TIMES_MIN || (text.length >= period * 2 && !VOWEL.test(text) && period >= PART_MIN);
}

/** After how many characters the text begins again; its length when it does not. */
function periodOf(text: string): number {
  for (let period = 1; period < text.length; period += 1) if (text.startsWith(text.slice(period))) return period;
  return text.length;
}

/** Keys side by side, walked forth or back. */
interface KeyRow {
  readonly keys: string;
  /** Shorter walks on it are words. */
  readonly lengthMin: number;
  /** Only from its beginning: 4567 is a telephone extension, 1234 is not. */
  readonly fromStart?: true;
  readonly reason: string;
}

const KEY_ROWS: readonly KeyRow[] = [
  { keys: 'qwertyuiop', lengthMin: 3, reason: 'QWERTY, upper row' },
  { keys: 'asdfghjkl', lengthMin: 3, reason: 'QWERTY and QWERTZ, home row' },
  { keys: 'zxcvbnm', lengthMin: 3, reason: 'QWERTY, lower row' },
  { keys: 'qwertzuiop', lengthMin: 5, reason: 'QWERTZ, upper row' },
  { keys: 'yxcvbnm', lengthMin: 4, reason: 'QWERTZ, lower row' },
  { keys: 'azertyuiop', lengthMin: 6, reason: 'AZERTY, upper row; Azer and, backwards, Reza are names' },
  { keys: 'qsdfghjklm', lengthMin: 4, reason: 'AZERTY, home row' },
  { keys: 'wxcvbn', lengthMin: 4, reason: 'AZERTY, lower row' },
  { keys: 'qaz', lengthMin: 3, reason: 'QWERTY, first column' },
  { keys: 'wsx', lengthMin: 3, reason: 'QWERTY, second column' },
  { keys: '1qaz', lengthMin: 4, reason: 'QWERTY, first column with its digit' },
  { keys: '2wsx', lengthMin: 4, reason: 'QWERTY, second column with its digit' },
  { keys: '3edc', lengthMin: 4, reason: 'QWERTY, third column with its digit' },
  { keys: 'q1w2e3r4t5y6', lengthMin: 4, reason: 'Two rows in turn, from a letter' },
  { keys: '1q2w3e4r5t6y', lengthMin: 4, reason: 'Two rows in turn, from a digit' },
  { keys: 'a1b2c3d4e5f6', lengthMin: 4, fromStart: true, reason: 'Letters and digits counted together' },
  { keys: '1234567890', lengthMin: 3, fromStart: true, reason: 'Digits counted up, or down to the first' },
  { keys: '01234567890', lengthMin: 4, fromStart: true, reason: 'Digits counted from 0' },
  { keys: 'abcdefghijklmnopqrstuvwxyz', lengthMin: 3, fromStart: true, reason: 'The alphabet' },
  { keys: 'йцукенгшщзхъ', lengthMin: 4, reason: 'ЙЦУКЕН, upper row' },
  { keys: 'фывапролджэ', lengthMin: 4, reason: 'ЙЦУКЕН, home row' },
  { keys: 'ячсмитьбю', lengthMin: 4, reason: 'ЙЦУКЕН, lower row' },
];

/** Walks that are words, whatever digits follow. */
const WORDS_ON_ROWS: ReadonlyMap<string, string> = new Map([
  ['wert', 'a German surname'],
  ['trew', 'an English surname, on the row backwards'],
]);

/** One walk is certain from four keys on; several short ones together from six. */
const [ONE_WALK_MIN, WALKS_MIN] = [4, 6];

/** The keys under resting fingers, hit at random: of this many, half lie side by side and none further than two apart. */
const [HOME_ROW, MASH_MIN, REACH] = ['asdfghjkl', 6, 2];

const backwards = (keys: string): string => Array.from(keys).reverse().join('');
const PATHS = KEY_ROWS.flatMap(({ keys, lengthMin, fromStart = false }) => [
  { keys, lengthMin, fromStart, toEnd: false },
  { keys: backwards(keys), lengthMin, fromStart: false, toEnd: fromStart },
]);

/** How many keys the longest walk from `start` has; 0 when there is none. */
function walkAt(text: string, start: number): number {
  let longest = 0;
  for (const { keys, lengthMin, fromStart, toEnd } of PATHS) {
    const at = keys.indexOf(text.charAt(start));
    if (at === -1 || (fromStart && at > 0)) continue;
    let length = 1;
    while (at + length < keys.length && keys[at + length] === text[start + length]) length += 1;
    if (toEnd && at + length < keys.length) continue;
    if (length >= lengthMin && length > longest) longest = length;
  }
  return longest;
}

/** How many walks the text is made of; 0 when anything else is in it. */
function walksIn(text: string): number {
  let walks = 0;
  for (let at = 0; at < text.length; walks += 1) {
    const length = walkAt(text, at);
    if (length === 0) return 0;
    at += length;
  }
  return walks;
}

function isMash(text: string): boolean {
  if (text.length < MASH_MIN) return false;
  let beside = 0;
  for (let i = 0; i < text.length; i += 1) {
    const key = HOME_ROW.indexOf(text.charAt(i));
    if (key === -1) return false;
    if (i === 0) continue;
    const distance = Math.abs(key - HOME_ROW.indexOf(text.charAt(i - 1)));
    if (distance > REACH) return false;
    if (distance === 1) beside += 1;
  }
  return beside * 2 >= text.length - 1;
}

/** Three keys or more in a row: too few to be certain of. */
export const isShortWalk = (text: string): boolean => walksIn(text) === 1;

/**
 * Whether the text is walks over a keyboard and nothing else but trailing digits: `asdf`, `qweasd`, `lkjhgf`, `qwerty99`;
 * or the home row hit at random: `asdsad`.
 */
export function isKeyboardWalk(text: string): boolean {
  const letters = unnumbered(text);
  if (WORDS_ON_ROWS.has(letters)) return false;
  return [text, letters].some((keys) => {
    const walks = keys.length < ONE_WALK_MIN ? 0 : walksIn(keys);
    return walks === 1 || (walks > 1 && keys.length >= WALKS_MIN) || isMash(keys);
  });
}
