import ROWS from './key-rows.json' with { type: 'json' };
import { unnumbered } from '../typed-address.ts';

/** A letter this often in a row is a held key. */
const SAME_MIN = 4;
/** Each part at least this long: `aaabbb`; not `aabb`, which may be initials. */
const PART_MIN = 3;
/** `hahaha`, `abcdabcdabcd`. Only twice is a nickname (Zsazsa, Tomtom). */
const [PERIOD_MAX, TIMES_MIN, CYCLE_MIN] = [4, 3, 6];
const VOWEL = /[aeiouy]/;

export const isOneLetter = (text: string): boolean =>
  text !== '' && Array.from(text).every((letter) => letter === text[0]);

/** Whether the text repeats one letter or a few: `aaaa`, `xxxyyy`, `lalala`, `sdgsdg`. */
export function isRepeated(text: string): boolean {
  if (text.length < SAME_MIN) return false;
  const parts = text.match(/(.)\1*/gsu) ?? [];
  if (parts.every((part) => part.length >= PART_MIN)) return true;
  const period = periodOf(text);
  if (period > PERIOD_MAX || text.length < CYCLE_MIN) return false;
  return text.length >= period * TIMES_MIN || (text.length >= period * 2 && !VOWEL.test(text) && period >= PART_MIN);
}

/** The period in characters; the text's length if it does not repeat. */
function periodOf(text: string): number {
  for (let period = 1; period < text.length; period += 1) if (text.startsWith(text.slice(period))) return period;
  return text.length;
}

/** Adjacent keys, walked either way. */
interface KeyRow {
  readonly keys: string;
  /** Shorter walks on it are words. */
  readonly lengthMin: number;
  /** Only from its start: 4567 is a telephone extension, 1234 is not. */
  readonly fromStart?: true;
  readonly reason: string;
}

const KEY_ROWS = ROWS as readonly KeyRow[];

/** Walks that are words, whatever digits follow. */
const WORDS_ON_ROWS: ReadonlyMap<string, string> = new Map([
  ['wert', 'a German surname'],
  ['trew', 'an English surname, on the row backwards'],
]);

/** One walk is certain from four keys on; several short ones together from six. */
const [ONE_WALK_MIN, WALKS_MIN] = [4, 6];

/** Random hits of the home row: of this many keys, half are adjacent and none further than two apart. */
const [HOME_ROW, MASH_MIN, REACH] = ['asdfghjkl', 6, 2];

const backwards = (keys: string): string => Array.from(keys).reverse().join('');
const PATHS = KEY_ROWS.flatMap(({ keys, lengthMin, fromStart = false }) => [
  { keys, lengthMin, fromStart, toEnd: false },
  { keys: backwards(keys), lengthMin, fromStart: false, toEnd: fromStart },
]);

/** The length of the longest walk from `start`; 0 without one. */
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

/** The number of walks in the text; 0 if it contains anything else. */
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

/** Three adjacent keys or more: too few to be certain. */
export const isShortWalk = (text: string): boolean => walksIn(text) === 1;

/**
 * Whether the text is only keyboard walks and trailing digits: `asdf`, `qweasd`, `lkjhgf`, `qwerty99`; or random hits
 * of the home row: `asdsad`.
 */
export function isKeyboardWalk(text: string): boolean {
  const letters = unnumbered(text);
  if (WORDS_ON_ROWS.has(letters)) return false;
  return [text, letters].some((keys) => {
    const walks = keys.length < ONE_WALK_MIN ? 0 : walksIn(keys);
    return walks === 1 || (walks > 1 && keys.length >= WALKS_MIN) || isMash(keys);
  });
}
