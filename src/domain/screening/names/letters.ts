import type { Fold } from './fold.ts';
import type { Romaniser } from './romanise.ts';

/** The letters of a local part, or of one rewriting of it. */
export interface Letters {
  readonly text: string;
  /** For every letter, and one past the end: whether a word may begin there (start, separator or digit before it). */
  readonly starts: readonly boolean[];
}

/** A local part read as letters, with the way back to what was typed. */
export interface LocalLetters extends Letters {
  /** Where in `typed` each letter stands; several letters of one character have the same place. */
  readonly places: readonly number[];
  /** NFKC. */
  readonly typed: string;
}

/** A local part has no more (RFC 5321, 4.5.3.1.1), but one character may be eighteen letters (`ﷺ`): bounds the work. */
const MAX_LETTERS = 64;

/** Subaddress tags say nothing of the name (`jane+news`). */
const untagged = (local: string): string => {
  const plus = local.indexOf('+');
  return plus > 0 ? local.slice(0, plus) : local;
};

/** Reads a local part: its first 64 lower-case ASCII letters, everything else parts words. The tag is left out. */
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

/** The words of the letters, from and to. */
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

/** Rewritten word by word, so that no rule works across a separator; initials stay, and nothing becomes one. */
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

/** One letter put right, at `at` in the letters. An inserted one ends the word before it or begins the one at `at`. */
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
 * The typed local part with the edit in place: separators, digits, tag and the case of the letters stay. Null where a
 * letter of another script would have to be taken apart.
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
