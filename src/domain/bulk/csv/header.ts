import { columnOf, isMeantAsAddress, isTitleOfAddresses, mentionsAddresses } from './email-column.ts';
import { personalForm } from './personal.ts';

type Row = readonly string[];

/**
 * Whether a file's first row holds data: an address in it says so, and so does the lack of one where the rows below have
 * theirs; what is only like an address or a phone number, and might be a title (`1000001`, `Sent @ acme.com`), where the
 * column below holds the like and no other cell is a title.
 */
export function isData(first: Row, below: readonly Row[]): boolean {
  if (first.some(isMeantAsAddress) || lacksItsAddress(first, below)) return true;
  const filledIn = (column: number): string[] => below.flatMap((row) => row[column] || []);
  return (
    first.some((cell, column) => isOneOf(cell, () => filledIn(column))) &&
    !first.some((cell, column) => isTitleOf(cell, () => filledIn(column)))
  );
}

/** How programs and people write a missing value. */
const NO_VALUE = /^(?:[^\p{L}\p{N}]*|n\/?a|null|nil|none|undefined|unknown|missing|keine?|k\. ?a\.)$/iu;

/** A header has a title above the addresses. Where the second row has it, the first is a line above the header. */
function lacksItsAddress(first: Row, below: readonly Row[]): boolean {
  const column = columnOf(first, below, null);
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
