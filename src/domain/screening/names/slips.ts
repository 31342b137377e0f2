import { type Edit, editLetters, type Letters } from './letters.ts';
import type { Nicknames } from './nicknames.ts';
import { isVariant } from './variants.ts';

/** Shorter words are all one letter apart. */
const MIN_FIRST_LETTER_WRONG = 4;

/** How a form stands beside what was typed. */
export interface Reading {
  /** The form is our reading of another alphabet. */
  readonly read: boolean;
  /** Whether a letter more was meant for the one beside it, rather than for an initial. */
  readonly isSlipOf: (letter: string, other: string) => boolean;
}

/**
 * The edits by which the letters at `pos` would begin with `form`; none when they do already, but for its last letter typed
 * twice. A letter before the whole of it is an initial unless it is a slip of the first one, a word does not go on behind a
 * separator, and another spelling of the name is no slip.
 */
export function editsTo(letters: Letters, pos: number, form: string, { read, isSlipOf }: Reading): Edit[] {
  const { text, starts } = letters;
  let same = 0;
  while (same < form.length && text.charCodeAt(pos + same) === form.charCodeAt(same)) same += 1;
  const at = pos + same;
  const typed = text.charAt(at);
  const letter = form.charAt(same);
  if (letter === '') return typed === form.at(-1) && starts[at] !== true ? [{ kind: 'remove', at }] : [];
  if (same === 0 && form.length < MIN_FIRST_LETTER_WRONG) return [];
  const rest = form.slice(same + 1);
  const before = form.charAt(same - 1);
  const found: Edit[] = [];
  const differ = (edit: Edit, one: { typed: string; meant: string; after: string }): void => {
    if (!isVariant({ ...one, before, word: form }, read)) found.push(edit);
  };
  if (
    typed !== '' &&
    text.charAt(at + 1) === letter &&
    (letter + typed + text.slice(at + 2)).startsWith(letter + rest)
  ) {
    found.push({ kind: 'swap', at });
  }
  const initial = same === 0 && starts[pos] === true && !isSlipOf(typed, letter);
  if (!initial && text.startsWith(letter + rest, at + 1))
    differ({ kind: 'remove', at }, { typed, meant: '', after: letter });
  if (typed !== '' && text.startsWith(rest, at + 1))
    differ({ kind: 'replace', at, letter }, { typed, meant: letter, after: rest.charAt(0) });
  if (text.startsWith(rest, at))
    differ({ kind: 'insert', at, letter, behind: same > 0 }, { typed: '', meant: letter, after: rest.charAt(0) });
  return found.filter((edit) => !isParted(editLetters(letters, edit), pos, form.length));
}

/** Whether a separator stands inside a word. */
export const isParted = ({ starts }: Letters, pos: number, length: number): boolean =>
  starts.slice(pos + 1, pos + length).includes(true);

const GROWTH = { replace: 0, swap: 0, insert: -1, remove: 1 } as const;

/** Whether what was typed is a given name of its own: `mario.rossi` of Maria Rossi is another person's, no slip. */
export function isOtherName(
  { isGivenName }: Nicknames,
  { text, starts }: Letters,
  pos: number,
  form: string,
  edit: Edit,
): boolean {
  if (isGivenName(text.slice(pos, pos + form.length + GROWTH[edit.kind]))) return true;
  let from = Math.min(edit.at, text.length - 1);
  while (from > 0 && starts[from] !== true) from -= 1;
  let to = from + 1;
  while (to < text.length && starts[to] !== true) to += 1;
  return isGivenName(text.slice(from, to));
}
