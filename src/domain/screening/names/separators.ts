import { type Letters, type LocalLetters, wordsOf } from './letters.ts';

/**
 * The local part with one separator and the letter beside it in each other's place, where the words of the name stand between
 * the separators only then: `lero.ygusikowski` of Leroy Gusikowski. Null where they do as typed, or either way don't.
 */
export function movedSeparator(letters: LocalLetters, isParted: (letters: Letters) => boolean): string | null {
  const breaks = wordsOf(letters).slice(1);
  if (breaks.length === 0 || isParted(letters)) return null;
  for (const [at] of breaks) {
    for (const to of [at - 1, at + 1]) {
      if (to <= 0 || to >= letters.text.length || letters.starts[to] === true) continue;
      const starts = letters.starts.map((start, i) => (i === at ? false : i === to ? true : start));
      const local = swapped(letters, at, to);
      if (local !== null && isParted({ text: letters.text, starts })) return local;
    }
  }
  return null;
}

/** Null where more than one character parts the words. */
function swapped({ typed, places }: LocalLetters, at: number, to: number): string | null {
  const behind = places[at] ?? 0;
  const before = places[at - 1] ?? 0;
  if (behind - before !== 2) return null;
  const from = to < at ? before : before + 1;
  return typed.slice(0, from) + typed.charAt(from + 1) + typed.charAt(from) + typed.slice(from + 2);
}
