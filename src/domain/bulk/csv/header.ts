import {
  type ColumnHint,
  columnOf,
  filledCells,
  looksLikeAddress,
  isSameTitle,
  isTitleOfAddresses,
  isTitleOfRecipients,
  mentionsAddresses,
} from './email-column.ts';
import { personalForm } from './personal.ts';

type Row = readonly string[];

/** No more lines stand above a header. */
const ABOVE_MAX = 30;

/**
 * Where the header stands: behind the lines that a program puts above it (LinkedIn's notes, Zoom's table about the meeting).
 * It is the row whose title names the addresses below it, of several the one with most. 0: in the first row, or nowhere.
 */
export function headerRow(rows: readonly Row[], wish: ColumnHint): number {
  const titled = rows.slice(0, ABOVE_MAX).flatMap((row, at) => {
    const column = row.findIndex((cell) =>
      typeof wish === 'string' ? isSameTitle(cell, wish) : isTitleOfRecipients(cell),
    );
    return column === -1 || row.some(looksLikeAddress) ? [] : [{ at, column }];
  });
  const [first] = titled;
  const candidates = titled.flatMap(({ at, column }) => {
    const above = rows.slice(0, at);
    const addressed = above.filter((row) => row.some(looksLikeAddress)).length;
    // A table of one row above, such as the meeting with its host, may name one address; more are rows of the file.
    const isAbove =
      addressed === 0 || (addressed === 1 && first !== undefined && first.at < at && first.column !== column);
    const below = rows.slice(at + 1).filter((row) => looksLikeAddress(row[column] ?? '')).length;
    const isWider = above.every((row) => filledCount(row) < filledCount(rows[at] ?? []));
    return isAbove && (below > 0 || isWider) ? [{ at, below }] : [];
  });
  return candidates.reduce((best, each) => (each.below > best.below ? each : best), candidates[0] ?? NONE).at;
}

const NONE = { at: 0, below: 0 };
const filledCount = (row: Row): number => row.filter((cell) => cell !== '').length;

/**
 * Whether a file's first row holds data: an address in it says so, and so does the lack of one where the rows below have
 * theirs; what is only like an address or a phone number, and might be a title (`1000001`, `Sent @ acme.com`), where the
 * column below holds the like and no other cell is a title.
 */
export function isData(first: Row, below: readonly Row[]): boolean {
  if (first.some(looksLikeAddress) || lacksItsAddress(first, below)) return true;
  const filled = filledCells(below);
  const filledIn = (column: number): readonly string[] => filled.get(column) ?? [];
  return (
    first.some((cell, column) => isOneOf(cell, () => filledIn(column))) &&
    !first.some((cell, column) => isTitleOf(cell, () => filledIn(column)))
  );
}

/** How programs and people write a missing value. */
const NO_VALUE = /^(?:[^\p{L}\p{N}]*|n\/?a|null|nil|none|undefined|unknown|missing|keine?|k\. ?a\.)$/iu;

/** A header has a title above the addresses. Where the second row has it, the first is a line above the header. */
function lacksItsAddress(first: Row, below: readonly Row[]): boolean {
  const { column } = columnOf(first, below, null);
  if (column === null || !NO_VALUE.test(first[column] ?? '')) return false;
  return !isTitleOfAddresses(below[0]?.[column] ?? '');
}

/** Nothing below it speaks against it. */
function isOneOf(cell: string, filled: () => readonly string[]): boolean {
  const form = personalForm(cell);
  if (form === null) return false;
  const cells = filled();
  return 2 * cells.filter((each) => personalForm(each) === form).length >= cells.length;
}

const speaksOfAddresses = (cell: string): boolean => mentionsAddresses(cell) && personalForm(cell) === null;

/** A value (`prefers e-mail`) is met again below. */
const isTitleOf = (cell: string, filled: () => readonly string[]): boolean =>
  speaksOfAddresses(cell) && !filled().some(speaksOfAddresses);
