import type { NameTest } from './known-names.ts';
import type { Edit, Letters } from './letters.ts';
import { isVariant } from './variants.ts';

/** Shorter words are all one letter apart. */
const MIN_FIRST_LETTER_WRONG = 4;

/** How a form stands beside what was typed. */
export interface Reading {
  /** The form is our reading of another alphabet. */
  readonly read: boolean;
  /** Whether a letter before the form was meant for its first one, rather than for an initial. */
  readonly isSlipOf: (letter: string, other: string) => boolean;
  /** Whether a letter is the initial of another word that is not there yet. */
  readonly isInitial: (letter: string) => boolean;
}

/** A letter to put right, or one that is only spelt another way. */
export interface Change {
  readonly edit: Edit;
  readonly variant: boolean;
}

/**
 * The changes by which the letters at `pos` would begin with `form`; none when they do already, but for its last letter typed
 * twice. A letter before the whole of it is an initial unless it is a slip of the first one.
 */
export function changesTo(
  { text, starts }: Letters,
  pos: number,
  form: string,
  { read, isSlipOf, isInitial }: Reading,
): Change[] {
  let same = 0;
  while (same < form.length && text.charCodeAt(pos + same) === form.charCodeAt(same)) same += 1;
  const at = pos + same;
  const typed = text.charAt(at);
  const letter = form.charAt(same);
  if (letter === '') {
    const doubled = typed === form.at(-1) && starts[at] !== true;
    return doubled ? [{ edit: { kind: 'remove', at }, variant: false }] : [];
  }
  if (same === 0 && form.length < MIN_FIRST_LETTER_WRONG) return [];
  const rest = form.slice(same + 1);
  const found: Change[] = [];
  const add = (edit: Edit, from: string, meant: string, after: string): void => {
    const before = form.charAt(same - 1);
    found.push({ edit, variant: isVariant({ typed: from, meant, before, after, word: form }, read) });
  };
  if (
    typed !== '' &&
    text.charAt(at + 1) === letter &&
    (letter + typed + text.slice(at + 2)).startsWith(letter + rest)
  ) {
    found.push({ edit: { kind: 'swap', at }, variant: false });
  }
  const initial = same === 0 && starts[pos] === true && (isInitial(typed) || !isSlipOf(typed, letter));
  const after = rest.charAt(0);
  if (!initial && text.startsWith(letter + rest, at + 1)) add({ kind: 'remove', at }, typed, '', letter);
  if (typed !== '' && text.startsWith(rest, at + 1)) add({ kind: 'replace', at, letter }, typed, letter, after);
  if (text.startsWith(rest, at)) add({ kind: 'insert', at, letter, behind: same > 0 }, '', letter, after);
  return found;
}

const GROWTH = { replace: 0, swap: 0, insert: -1, remove: 1 } as const;

/** Whether what was typed is a name of its own: `mario.rossi` of Maria Rossi and `le.phan` of Le Pham are other people's, no slips. */
export function isOtherName(
  isName: NameTest,
  { text, starts }: Letters,
  pos: number,
  form: string,
  edit: Edit,
): boolean {
  if (isName(text.slice(pos, pos + form.length + GROWTH[edit.kind]))) return true;
  let from = Math.min(edit.at, text.length - 1);
  while (from > 0 && starts[from] !== true) from -= 1;
  let to = from + 1;
  while (to < text.length && starts[to] !== true) to += 1;
  return isName(text.slice(from, to));
}

/** Whether a word with a slip in it is a word of the name joined to a name of its own: `floyddubuque` of Floy DuBuque. */
export function isJoinedToOtherName(
  isName: NameTest,
  { text, starts }: Letters,
  { at }: Edit,
  forms: readonly string[],
): boolean {
  let from = Math.min(at, text.length - 1);
  while (from > 0 && starts[from] !== true) from -= 1;
  const word = text.slice(from, starts.indexOf(true, from + 1));
  return forms.some(
    (form) =>
      form.length > 1 &&
      ((word.startsWith(form) && from + form.length <= at + 1 && isName(word.slice(form.length))) ||
        (word.endsWith(form) && at <= from + word.length - form.length && isName(word.slice(0, -form.length)))),
  );
}
