import { parseAddress } from '../../address/parse.ts';
import { type CsvLayout, type Units, bare, cellText, holdsSeveral } from './dialect.ts';

/** How the file below is read. */
export const PASTE_LAYOUT: CsvLayout = {
  dialect: { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
  hasHeader: true,
  emailColumn: 0,
};

/** What a spreadsheet takes for the start of a formula, in either width, after white space and quotes. */
const FORMULA = String.raw`[\s']*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const RUN = new RegExp(`^${FORMULA}`);
const GUARDED = new RegExp(`^'${FORMULA}`);

/** A `'` in front turns a formula into text. Cells that already begin so get one more, and `unguarded` restores each. */
const guarded = (cell: string): string => (RUN.test(cell) ? `'${cell}` : cell);
const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/**
 * Pasted addresses as a file of one column. All are quoted, so that an empty one or one with a line break is a row too.
 */
export const pasteFile = (emails: readonly string[]): Uint8Array =>
  new TextEncoder().encode(
    ['email', ...emails.map((email) => `"${guarded(email).replaceAll('"', '""')}"`), ''].join('\n'),
  );

/** Characters of an address, as `/v1/verify` counts them; a longer cell is not checked. */
const ADDRESS_MAX = 320;

const AT = 0x40;
const QUOTE = 0x22;
const SPACE = 0x20;
/** At the start or end of a text they may stand around an address: an apostrophe, a backtick, a dot. */
const AROUND: ReadonlySet<number | undefined> = new Set([0x27, 0x60, 0x2e]);

/**
 * The lower case of each code unit that an unquoted ASCII address may hold, else 0. Two texts made of these alone are the
 * same address exactly if their lower case is equal, because such a text has only one form.
 */
const FOLDED = new Uint8Array(2 ** 16);
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.@!#$%&'*+-/=?^_`{|}~") {
  FOLDED[char.charCodeAt(0)] = char.toLowerCase().charCodeAt(0);
}

const UTF8 = new TextEncoder();

/** An address as it stands in a file. The arrays may be longer than the lengths say. */
export interface CellAddress {
  /** As typed, as a JSON string. */
  readonly literal: Uint8Array;
  readonly literalEnd: number;
  /** The same bytes for equal addresses (domain as A-labels, lower case, NFC). */
  readonly identity: Uint8Array;
  /** Where in `identity` its domain begins. */
  readonly domainAt: number;
  readonly identityEnd: number;
}

export class AddressReader {
  private readonly isPasted: boolean;
  private readonly found = {
    literal: new Uint8Array(ADDRESS_MAX + 2).fill(QUOTE),
    literalEnd: 0,
    identity: new Uint8Array(ADDRESS_MAX),
    domainAt: 0,
    identityEnd: 0,
  };

  /** `isPasted`: `pasteFile` made the file. */
  constructor(isPasted: boolean) {
    this.isPasted = isPasted;
  }

  /**
   * The address in `units` from `from` up to `to`, valid until the next call. Null: not checked (empty, no `@`, too
   * long, two addresses).
   */
  read(units: Units, from: number, to: number): CellAddress | null {
    if (this.isPasted) return other(bare(unguarded(cellText(units.subarray(from, to)))));
    return this.ordinary(units, from, to) ?? other(bare(cellText(units.subarray(from, to))));
  }

  /** Reads an ordinary address without making a string: 100,000 strings would take longer than reading the file. */
  private ordinary(units: Units, cellFrom: number, cellTo: number): CellAddress | null {
    const { found } = this;
    const { literal, identity } = found;
    let from = cellFrom;
    let to = cellTo;
    if (to - from > 1 && units[from] === QUOTE && units[to - 1] === QUOTE) {
      from += 1;
      to -= 1;
    }
    while (units[from] === SPACE) from += 1;
    while (to > from && units[to - 1] === SPACE) to -= 1;
    const length = to - from;
    if (length > ADDRESS_MAX || AROUND.has(units[from]) || AROUND.has(units[to - 1])) return null;
    found.domainAt = 0;
    for (let i = 0; i < length; i += 1) {
      const unit = units[from + i] ?? 0;
      const lower = FOLDED[unit] ?? 0;
      if (lower === 0) return null;
      if (lower === AT) {
        // A second one: broken syntax, or two addresses with a slash between.
        if (found.domainAt > 0) return null;
        found.domainAt = i + 1;
      }
      literal[i + 1] = unit;
      identity[i] = lower;
    }
    if (found.domainAt === 0) return null;
    literal[length + 1] = QUOTE;
    found.literalEnd = length + 2;
    found.identityEnd = length;
    return found;
  }
}

function other(text: string): CellAddress | null {
  if (!text.includes('@') || text.length > ADDRESS_MAX) return null;
  const parsed = parseAddress(text);
  if (!parsed.ok && holdsSeveral(text)) return null;
  // Broken syntax is compared as typed, without regard to case.
  const name = parsed.ok ? parsed.address.normalised : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const literal = UTF8.encode(JSON.stringify(text));
  const identity = UTF8.encode(name);
  return {
    literal,
    literalEnd: literal.length,
    identity,
    identityEnd: identity.length,
    domainAt: identity.lastIndexOf(AT) + 1,
  };
}
