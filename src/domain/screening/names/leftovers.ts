import { type Coverage, cover } from './cover.ts';
import type { KnownNames } from './known-names.ts';
import { type Letters, wordsOf } from './letters.ts';
import type { Token } from './tokens.ts';

/** Short of these, letters at a word's edge or inside it are found in too many words that have nothing to do with the name. */
const MIN_AT_EDGE = 4;
const MIN_INSIDE = 5;
/** Two names side by side inside a longer word (`iamjohnsmith`). */
const MIN_PAIR = 7;
const MIN_IN_RUN = 3;

const slice = ({ text, starts }: Letters, from: number, to: number): Letters => ({
  text: text.slice(from, to),
  starts: starts.slice(from, to + 1),
});

const formsOf = (token: Token): readonly string[] => [...token.spellings, ...token.nicknames];

/** Units named side by side from `at` on, and the letters they take. */
function runFrom(word: string, at: number, tokens: readonly Token[]): { units: number; length: number } {
  let units = 0;
  let pos = at;
  for (let more = true; more;) {
    more = false;
    let longest = 0;
    let unit = 0;
    for (const token of tokens) {
      if (token.particle || units & (1 << token.unit)) continue;
      for (const form of formsOf(token)) {
        if (form.length >= MIN_IN_RUN && form.length > longest && word.startsWith(form, pos)) {
          longest = form.length;
          unit = 1 << token.unit;
        }
      }
    }
    if (longest > 0) {
      pos += longest;
      units |= unit;
      more = true;
    }
  }
  return { units, length: pos - at };
}

/** Units that a word names beside letters of its own; none when it is another name itself (`mario` holds Maria's `mari`). */
function unitsWithin({ isGivenName }: KnownNames, word: string, tokens: readonly Token[]): number {
  if (isGivenName(word)) return 0;
  let units = 0;
  for (const token of tokens) {
    if (token.particle) continue;
    for (const form of formsOf(token)) {
      const at = form.length < MIN_IN_RUN ? -1 : word.indexOf(form);
      if (at < 0) continue;
      const run = runFrom(word, at, tokens);
      const atEdge = at === 0 || at + run.length === word.length;
      const several = (run.units & (run.units - 1)) !== 0;
      if (run.length >= (several ? MIN_PAIR : atEdge ? MIN_AT_EDGE : MIN_INSIDE)) units |= run.units;
    }
  }
  return units;
}

/**
 * What an address says of a name when some of its words say nothing (`john.smith.photos`, `john_guitar`): each word is
 * judged by itself. An initial counts beside a name that is written out.
 */
export function coverWords(
  names: KnownNames,
  letters: Letters,
  tokens: readonly Token[],
  truncation: boolean,
): Coverage {
  let named = 0;
  let initials = 0;
  for (const [from, to] of wordsOf(letters)) {
    const found = cover(names, slice(letters, from, to), tokens, { truncation, edits: null });
    if (found !== null && found.named !== 0) {
      named |= found.named;
      initials |= found.units & ~found.named;
    } else if (found !== null && to - from === 1) initials |= found.units;
    else named |= unitsWithin(names, letters.text.slice(from, to), tokens);
  }
  return { units: named === 0 ? initials : named | initials, named, edit: null };
}
