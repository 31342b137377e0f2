import { isMeantAsAddress, mentionsAddresses } from './email-column.ts';
import { personalForm } from './personal.ts';

/**
 * Whether a file's first row holds data: an address in it says so; what is only like an address or a phone number, and might
 * be a title (`1000001`, `Sent @ acme.com`), where the column below holds the like and no other cell is a title.
 */
export function isData(first: readonly string[], below: readonly (readonly string[])[]): boolean {
  if (first.some(isMeantAsAddress)) return true;
  const filledIn = (column: number): string[] => below.flatMap((row) => row[column] || []);
  return (
    first.some((cell, column) => isOneOf(cell, () => filledIn(column))) &&
    !first.some((cell, column) => isTitleOf(cell, () => filledIn(column)))
  );
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
