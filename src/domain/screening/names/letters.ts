import type { Romaniser } from './tables.ts';

/** Makes equivalent spellings equal. Takes words separated by spaces: no rule works across one. */
export type Fold = (letters: string) => string;

type Rule = readonly [found: RegExp, written: string];

const rewriting =
  (rules: readonly Rule[]): Fold =>
  (letters) =>
    rules.reduce((text, [found, written]) => text.replace(found, written), letters);

/**
 * One sound in two Latin conventions: umlauts written out, Slavic and Arabic digraphs, `y` and `i`. Doubled letters
 * stay: they are typos.
 */
const SPELLING: readonly Rule[] = [
  [/shch|sch/g, 'sh'],
  [/kh/g, 'h'],
  [/ph/g, 'f'],
  [/t[sz]/g, 'c'],
  [/ae/g, 'a'],
  [/oe|ou/g, 'o'],
  [/ue/g, 'u'],
  [/iy|yi/g, 'i'],
  [/y/g, 'i'],
  [/w/g, 'v'],
];

/** An alphabet's alternative romanisations (Щукин: Shchukin, Schukin, Ščukin). */
const ROMANISATION: readonly Rule[] = [
  ...SPELLING,
  [/ee/g, 'i'],
  [/ks|x/g, 'ks'],
  [/ch|tch/g, 'c'],
  [/sh/g, 's'],
  [/zh/g, 'z'],
  [/j/g, 'i'],
  [/q/g, 'k'],
  [/([a-z])\1+/g, '$1'],
];

/** Hangul: voiced and unvoiced consonants, and vowels with several English spellings. */
const HANGUL: readonly Rule[] = [
  [/eo|eu|oo|ou|u/g, 'o'],
  [/ee|y(?=[aeiou])/g, ''],
  [/ae|ai/g, 'e'],
  [/ch|zh|z/g, 'j'],
  [/sh/g, 's'],
  [/ck|k|c/g, 'g'],
  [/p/g, 'b'],
  [/t/g, 'd'],
  [/l/g, 'r'],
  [/w/g, ''],
  [/([a-z])\1+/g, '$1'],
];

/** Consonants alone, for scripts that omit vowels. */
const CONSONANTS: readonly Rule[] = [
  [/[sz]h|ch|j|g/g, 's'],
  [/dh|d|th/g, 't'],
  [/[ckq]/g, 'k'],
  [/[bpf]/g, 'b'],
  [/z/g, 's'],
  [/v/g, 'w'],
  // The first letter may be an initial before the family name (`hrostami`).
  [/\b[aeiouy]+|\B[aeiouyhw]/g, ''],
  [/([a-z])\1+/g, '$1'],
];

export const foldSpelling = rewriting(SPELLING);
export const foldRomanisation = rewriting(ROMANISATION);
export const foldHangul = rewriting(HANGUL);
export const foldConsonants = rewriting(CONSONANTS);

/** The letters of a local part, or of one rewriting of it. */
export interface Letters {
  readonly text: string;
  /** For every letter, and one past the end: whether a word may start there (start, separator or digit before it). */
  readonly starts: readonly boolean[];
}

/** A local part as letters, with their places in what was typed. */
export interface LocalLetters extends Letters {
  /** Each letter's place in `typed`; several letters of one character share it. */
  readonly places: readonly number[];
  /** NFKC. */
  readonly typed: string;
}

/** A local part's maximum (RFC 5321, 4.5.3.1.1). Bounds the work: one character may be eighteen letters (`ﷺ`). */
const MAX_LETTERS = 64;

/** Removes the subaddress tag (`jane+news`). */
const untagged = (local: string): string => {
  const plus = local.indexOf('+');
  return plus > 0 ? local.slice(0, plus) : local;
};

/** Reads a local part without its tag: its first 64 lower-case ASCII letters; everything else separates words. */
export function readLocalPart(roman: Romaniser, localPart: string): LocalLetters {
  const typed = localPart.normalize('NFKC');
  let text = '';
  const starts: boolean[] = [];
  const places: number[] = [];
  let begins = true;
  let place = 0;
  for (const character of untagged(typed)) {
    const letters = roman.letter(character);
    if (text.length + letters.length > MAX_LETTERS) break;
    for (let i = 0; i < letters.length; i += 1) {
      starts.push(begins);
      places.push(place);
      begins = false;
    }
    text += letters;
    // Apostrophes and combining marks belong to a word.
    if (letters === '' && !/['’\p{M}]/u.test(character)) begins = true;
    place += character.length;
  }
  starts.push(true);
  return { text, starts, places, typed };
}

export function wordsOf({ text, starts }: Letters): readonly (readonly [from: number, to: number])[] {
  const found: [number, number][] = [];
  for (let from = 0; from < text.length;) {
    let to = from + 1;
    while (to < text.length && starts[to] !== true) to += 1;
    found.push([from, to]);
    from = to;
  }
  return found;
}

/** Rewrites word by word, so that no rule crosses a separator; initials stay, and nothing becomes one. */
export function foldLetters(letters: Letters, fold: Fold): Letters {
  const words = wordsOf(letters).map(([from, to]) => letters.text.slice(from, to));
  const folded = fold(words.join(' ')).split(' ');
  let text = '';
  const starts: boolean[] = [];
  words.forEach((word, i) => {
    const rewritten = folded[i] ?? '';
    const written = rewritten.length > 1 ? rewritten : word;
    for (let at = 0; at < written.length; at += 1) starts.push(at === 0);
    text += written;
  });
  starts.push(true);
  return { text, starts };
}

/** One corrected letter, at `at`. An inserted one ends the word before it or starts the one at `at`. */
export type Edit =
  | { readonly kind: 'replace'; readonly at: number; readonly letter: string }
  | { readonly kind: 'insert'; readonly at: number; readonly letter: string; readonly behind: boolean }
  | { readonly kind: 'remove' | 'swap'; readonly at: number };

export function editLetters({ text, starts }: Letters, edit: Edit): Letters {
  const { at } = edit;
  const before = text.slice(0, at);
  switch (edit.kind) {
    case 'replace':
      return { text: before + edit.letter + text.slice(at + 1), starts };
    case 'insert': {
      const here = starts[at] === true;
      const flags = edit.behind ? [false, here] : [here, false];
      return {
        text: before + edit.letter + text.slice(at),
        starts: [...starts.slice(0, at), ...flags, ...starts.slice(at + 1)],
      };
    }
    case 'remove': {
      const start = starts[at] === true || starts[at + 1] === true;
      return { text: before + text.slice(at + 1), starts: [...starts.slice(0, at), start, ...starts.slice(at + 2)] };
    }
    case 'swap':
      return { text: before + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2), starts };
  }
}

const isUpper = (character: string): boolean => character !== character.toLowerCase();
const cased = (letter: string, like: string): string => (isUpper(like) ? letter.toUpperCase() : letter);

const ASCII_LETTER = /^[A-Za-z]$/;

/**
 * The typed local part after the edit: separators, digits, tag and case stay. Null if a letter of another script would
 * have to be split.
 */
export function editLocalPart({ typed, places }: LocalLetters, edit: Edit): string | null {
  const here = places[edit.at] ?? typed.length;
  const neighbour = edit.kind === 'insert' && edit.behind ? (places[edit.at - 1] ?? 0) : here;
  const found = typed.charAt(neighbour);
  if (!ASCII_LETTER.test(found)) return null;
  switch (edit.kind) {
    case 'replace':
      return typed.slice(0, here) + cased(edit.letter, found) + typed.slice(here + 1);
    case 'insert': {
      const at = edit.behind ? neighbour + 1 : here;
      // `Mith` lacks its capital S; `SMIT` a capital H.
      const rest = !edit.behind && isUpper(found) && !isUpper(typed.charAt(here + 1)) ? found.toLowerCase() : found;
      const letter = cased(
        edit.letter,
        edit.behind && neighbour > 0 && !isUpper(typed.charAt(neighbour - 1)) ? '' : found,
      );
      return edit.behind
        ? typed.slice(0, at) + letter + typed.slice(at)
        : typed.slice(0, at) + cased(edit.letter, found) + rest + typed.slice(at + 1);
    }
    case 'remove':
      return typed.slice(0, here) + typed.slice(here + 1);
    case 'swap': {
      const there = places[edit.at + 1] ?? here;
      const next = typed.charAt(there);
      if (!ASCII_LETTER.test(next)) return null;
      const between = typed.slice(here + 1, there);
      return (
        typed.slice(0, here) +
        cased(next.toLowerCase(), found) +
        between +
        cased(found.toLowerCase(), next) +
        typed.slice(there + 1)
      );
    }
  }
}

/**
 * The local part with a separator and its neighbouring letter swapped, if only then the name's words fit between the
 * separators: `lero.ygusikowski` of Leroy Gusikowski; else null. A digit separates no word: a lone letter after it ends
 * the previous word (`smit1h98`), even if it could be an initial.
 */
export function movedSeparator(
  letters: LocalLetters,
  isParted: (letters: Letters) => boolean,
  isWrittenOut: (letters: Letters) => boolean,
): string | null {
  const breaks = wordsOf(letters).slice(1);
  if (breaks.length === 0) return null;
  const isExplained = isParted(letters);
  const fits = isExplained ? isWrittenOut : isParted;
  if (isExplained && isWrittenOut(letters)) return null;
  for (const [at] of breaks) {
    if (isExplained && !isBehindDigit(letters, at)) continue;
    for (const to of [at - 1, at + 1]) {
      const isLast = to === letters.text.length && isBehindDigit(letters, at);
      if (to <= 0 || (letters.starts[to] !== false && !isLast)) continue;
      const starts = letters.starts.map((start, i) => (i === at ? false : i === to ? true : start));
      const local = swapped(letters, at, to);
      if (local !== null && fits({ text: letters.text, starts })) return local;
    }
  }
  return null;
}

const isBehindDigit = ({ typed, places }: LocalLetters, at: number): boolean =>
  /\d/.test(typed.charAt((places[at] ?? 0) - 1));

/** Null where more than one character separates the words. */
function swapped({ typed, places }: LocalLetters, at: number, to: number): string | null {
  const behind = places[at] ?? 0;
  const before = places[at - 1] ?? 0;
  if (behind - before !== 2) return null;
  const from = to < at ? before : before + 1;
  return typed.slice(0, from) + typed.charAt(from + 1) + typed.charAt(from) + typed.slice(from + 2);
}
