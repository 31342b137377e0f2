import { type Letters, type LocalLetters, wordsOf } from './letters.ts';

/**
 * The local part with one separator and the letter beside it in each other's place, where the words of the name stand between
 * the separators only then: `lero.ygusikowski` of Leroy Gusikowski. Null where they do as typed, or either way don't. A digit parts
 * no word: behind it a lone letter is the last of the word before (`smit1h98`), also where it could be an initial.
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

/** Null where more than one character parts the words. */
function swapped({ typed, places }: LocalLetters, at: number, to: number): string | null {
  const behind = places[at] ?? 0;
  const before = places[at - 1] ?? 0;
  if (behind - before !== 2) return null;
  const from = to < at ? before : before + 1;
  return typed.slice(0, from) + typed.charAt(from + 1) + typed.charAt(from) + typed.slice(from + 2);
}
