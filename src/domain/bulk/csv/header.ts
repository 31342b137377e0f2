import {
  type ColumnHint,
  MENTION,
  columnOf,
  filledCells,
  isSameTitle,
  isTitleOfAddresses,
  isTitleOfRecipients,
  looksLikeAddress,
  mentionsAddresses,
} from './email-column.ts';

/** Inspected characters of a cell: titles, addresses and phone numbers are shorter, a cell may have 64 KB. */
const LOOKED_AT = 400;

const LABEL = String.raw`[\p{L}\p{M}\p{N}-]{1,63}`;
const SPELT_DOT = String.raw`(?:\s{0,2}[(\[{<]\s{0,2}(?:dot|punkt|punto|point|\.)\s{0,2}[)\]}>]\s{0,2}|\s{1,2}dot\s{1,2})`;
const DOT = String.raw`(?:\s{0,2}\.\s{0,2}|${SPELT_DOT})`;
/** The end of a local part, or white space after it. */
const BEFORE = String.raw`(?<=[\p{L}\p{M}\p{N}_%+'"-]\s{0,3})`;
const SPELT_AT = String.raw`[(\[{<]\s{0,2}(?:at|ät|arroba|@)\s{0,2}[)\]}>]`;

/** An address, or an obfuscated one: `ada @example.com`, `ada(at)example.com`, `ada at example dot com`. */
const NEARLY: readonly RegExp[] = [
  new RegExp(String.raw`${BEFORE}(?:@|${SPELT_AT})\s{0,3}(?:${LABEL}${DOT}){1,9}\p{L}`, 'iu'),
  new RegExp(String.raw`(?<=[\p{L}\p{N}])\s{1,3}at\s{1,3}${LABEL}${SPELT_DOT}\p{L}`, 'iu'),
];
/** A domain without a dot: `ada(at)corp`, but also `Meeting (at) HQ`. */
const DOTLESS = new RegExp(String.raw`${BEFORE}${SPELT_AT}\s{0,3}[\p{L}\p{N}]`, 'iu');

/** From an address in any spelling to the end. */
const FROM_ADDRESS = new RegExp(String.raw`\S*\s{0,3}(?:@|${SPELT_AT}|\sat\s).*$`, 'isu');

/** With a label before it (`Tel. +49 …`) and an extension after it. */
const PHONE =
  /^(?:\p{L}{1,12}[.:]?\s{0,3}(?=[+0(]))?\+?[\d\s()./\u2010-\u2015-]{6,40}(?:\s?(?:ext|x|durchwahl)[.:]?\s?\d{1,6})?$/iu;
/** E.164 allows 15 digits; with fewer than 7 a number may be anything. */
const [DIGITS_MIN, DIGITS_MAX] = [7, 15];
/** Titles of time series: `2026-11-22`, `22.11.2026 08:00`, `20261122`, `2025/2026`. */
const TIMES: readonly RegExp[] = [
  /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2\d{2,4})(?:[t\s][\d:.\s]+z?)?$/iu,
  /^(?:19|20)\d{6}$/,
  /^(?:(?:19|20)\d{2}[\s/\u2010-\u2015-]*)+$/,
];

const readable = (cell: string): string => cell.slice(0, LOOKED_AT).normalize('NFKC').trim();

const isAddressLike = (text: string): boolean => NEARLY.some((form) => form.test(text));

function isPhoneLike(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  const isNumber = digits >= DIGITS_MIN && digits <= DIGITS_MAX && PHONE.test(text);
  return isNumber && !TIMES.some((form) => form.test(text));
}

/**
 * What personal data a cell resembles, or null; a title may resemble it too. Null for a title that shows how to write
 * an address.
 */
export function personalForm(cell: string): 'address' | 'phone' | null {
  const text = readable(cell);
  if (isPhoneLike(text)) return 'phone';
  return isAddressLike(text) && !MENTION.test(text.replace(FROM_ADDRESS, '')) ? 'address' : null;
}

/** Whether a header's cell may be shown: not with an address or phone number, even as an example. */
export function isShown(cell: string): boolean {
  const text = readable(cell);
  return !/[^\s@(]@[^\s@]/.test(text) && !isAddressLike(text) && !DOTLESS.test(text) && !isPhoneLike(text);
}

type Row = readonly string[];

/** The most lines above a header. */
const ABOVE_MAX = 30;

/**
 * Index of the header: below lines that a program adds (LinkedIn's notes, Zoom's meeting table). It is the row whose
 * title names the addresses below it; of several, the one with most. 0: the first row, or none.
 */
export function headerRow(rows: readonly Row[], hint: ColumnHint): number {
  const titled = rows.slice(0, ABOVE_MAX).flatMap((row, at) => {
    const column = row.findIndex((cell) =>
      typeof hint === 'string' ? isSameTitle(cell, hint) : isTitleOfRecipients(cell),
    );
    return column === -1 || row.some(looksLikeAddress) ? [] : [{ at, column }];
  });
  const [first] = titled;
  const candidates = titled.flatMap(({ at, column }) => {
    const above = rows.slice(0, at);
    const addressed = above.filter((row) => row.some(looksLikeAddress)).length;
    // A one-row table above, such as a meeting with its host, may contain one address; more are rows of the file.
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
 * Whether the first row is data: it has an address, or lacks one where the rows below have theirs. Text that only
 * resembles an address or phone number (`1000001`, `Sent @ acme.com`) counts if the column below resembles it too and
 * no other cell is a title.
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

/** A header has a title above the addresses. If the second row has it, the first is a line above the header. */
function lacksItsAddress(first: Row, below: readonly Row[]): boolean {
  const { column } = columnOf(first, below, null);
  if (column === null || !NO_VALUE.test(first[column] ?? '')) return false;
  return !isTitleOfAddresses(below[0]?.[column] ?? '');
}

function isOneOf(cell: string, filled: () => readonly string[]): boolean {
  const form = personalForm(cell);
  if (form === null) return false;
  const cells = filled();
  return 2 * cells.filter((each) => personalForm(each) === form).length >= cells.length;
}

const speaksOfAddresses = (cell: string): boolean => mentionsAddresses(cell) && personalForm(cell) === null;

/** A value (`prefers e-mail`) recurs below. */
const isTitleOf = (cell: string, filled: () => readonly string[]): boolean =>
  speaksOfAddresses(cell) && !filled().some(speaksOfAddresses);
