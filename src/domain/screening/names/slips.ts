import type { Edit, Letters } from './letters.ts';
import type { Nicknames } from './nicknames.ts';

/** Shorter words are all one letter apart. */
const MIN_FIRST_LETTER_WRONG = 4;

/**
 * The edits by which the letters at `pos` would begin with `form`; none when they do already. A letter before the whole of it
 * is an initial unless it is typed twice.
 */
export function editsTo({ text, starts }: Letters, pos: number, form: string): Edit[] {
  let same = 0;
  while (same < form.length && text.charCodeAt(pos + same) === form.charCodeAt(same)) same += 1;
  const at = pos + same;
  const letter = form.charAt(same);
  if (letter === '' || (same === 0 && form.length < MIN_FIRST_LETTER_WRONG)) return [];
  const rest = form.slice(same + 1);
  const found: Edit[] = [];
  const swapped = letter + text.charAt(at);
  if (at < text.length && text.charAt(at + 1) === letter && (swapped + text.slice(at + 2)).startsWith(letter + rest)) {
    found.push({ kind: 'swap', at });
  }
  const initial = same === 0 && starts[pos] === true && text.charAt(at) !== letter;
  if (!initial && text.startsWith(letter + rest, at + 1)) found.push({ kind: 'remove', at });
  if (at < text.length && text.startsWith(rest, at + 1)) found.push({ kind: 'replace', at, letter });
  if (text.startsWith(rest, at)) found.push({ kind: 'insert', at, letter, behind: same > 0 });
  return found;
}

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

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Whether two letters are one, or neighbours on a keyboard. */
export function areNeighbours(letter: string, other: string): boolean {
  const row = ROWS.findIndex((keys) => keys.includes(letter));
  const otherRow = ROWS.findIndex((keys) => keys.includes(other));
  const columns = (ROWS[row]?.indexOf(letter) ?? 0) - (ROWS[otherRow]?.indexOf(other) ?? 0);
  return Math.abs(row - otherRow) <= 1 && Math.abs(columns) <= 1;
}
