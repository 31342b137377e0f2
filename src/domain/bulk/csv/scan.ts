import { type Delimiter, type Dialect, UnitReader, type Units, unitBytes, unquoted } from './dialect.ts';

const NUL = 0;
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const LESS = 60;
const GREATER = 62;
const AT_SIGN = 64;
const NO_BREAK_SPACE = 0xa0;
/** The first UTF-8 byte of a no-break space. */
const NO_BREAK_LEAD = 0xc2;

/** Code units kept of a cell: 320 characters of up to 4 bytes, with doubled quotes. */
const CELL_UNITS_MAX = 2_000;

/** The scanner's states within a cell. */
const PLAIN = 0;
const QUOTED = 1;
/** After a quote in a quoted cell: its end, or the first of two that stand for one. */
const QUOTE_SEEN = 2;
/** White space between the closing quote and the cell's end (`"a" ,b`). */
const CLOSED = 3;
/** After `"Jane" <`, and after the `@` there: an address so far, or text. */
const BRACKET = 4;
const BRACKET_AT = 5;
/** After `"Jane" <jane@corp.example>`: if the cell ends here, the previous quote closed the name. */
const NAMED = 6;
type Place =
  | typeof PLAIN
  | typeof QUOTED
  | typeof QUOTE_SEEN
  | typeof CLOSED
  | typeof BRACKET
  | typeof BRACKET_AT
  | typeof NAMED;

/** The next state after a quote that may have closed the cell. */
function behindQuote(at: Place, unit: number, isWhite: boolean): Place {
  if (at === BRACKET || at === BRACKET_AT) {
    if (isWhite || unit === LESS) return QUOTED;
    if (unit === AT_SIGN) return BRACKET_AT;
    if (unit === GREATER) return at === BRACKET_AT ? NAMED : QUOTED;
    return at;
  }
  if (isWhite) return at === NAMED ? NAMED : CLOSED;
  return unit === LESS && at !== NAMED ? BRACKET : QUOTED;
}

const BYTES_OF_WORD = 4;
/** Repeats a byte over a word. */
const inEach = (byte: number): number => Math.imul(byte, 0x01_01_01_01);
const ONES = inEach(0x01);
const HIGH_BITS = inEach(0x80);
const [LFS, CRS, QUOTES] = [inEach(LF), inEach(CR), inEach(QUOTE)];
/** Combined with `HIGH_BITS`: the high bit of each zero byte, and sometimes of a 1 above it, because of the borrow. */
const zeros = (word: number): number => (word - ONES) & ~word;

/** Receives the rows in order. Blank lines are not rows. */
export interface RowSink {
  /** The place of each cell in units, also of a blank line's empty one; `row` follows a row's last cell. */
  cell?(from: number, to: number): void;
  /**
   * @param startByte where the row starts in the file
   * @param endByte where its content ends, before the line break
   * @param units contain the wanted cell, raw with quotes, from `from` to `to` during this call; null for a row that is
   * too short, or a cell longer than any address
   */
  row(startByte: number, endByte: number, cells: number, units: Units | null, from: number, to: number): void;
}

/**
 * Cuts a file into rows, block by block, by papaparse's rules: a cell is quoted if its first character is a quote, two
 * quotes inside stand for one, and a quote that neither ends the cell nor is doubled is text. In addition, a cell may
 * be a quoted name with an address in brackets (`"Jane Doe" <jane@corp.example>`), and LF, CR and both end a row, since
 * joined files mix them.
 */
export class CsvScanner {
  private readonly reader: UnitReader;
  private readonly delimiter: number;
  private readonly unitBytes: number;
  private readonly prefaceBytes: number;
  private readonly column: number;
  private readonly sink: RowSink;
  private readonly eachCell: boolean;
  hasNul = false;
  private at: Place = PLAIN;
  /** Where the text starts that decides the last quote's meaning. */
  private unresolvedFrom = 0;
  private cells = 0;
  /** Where the cell starts in this block; negative for an earlier block. */
  private cellStart = 0;
  /** Units before this block, and before this row. */
  private read = 0;
  private rowStart = 0;
  /** The wanted cell's parts in earlier blocks, and its place in this one. */
  private kept: Units[] = [];
  private keptUnits = 0;
  private cellFrom = 0;
  private cellTo = 0;

  /** @param column whose cells the sink gets; −1 for none */
  constructor(dialect: Omit<Dialect, 'lineBreak'>, column: number, sink: RowSink) {
    this.reader = new UnitReader(dialect);
    this.delimiter = dialect.delimiter.charCodeAt(0);
    this.unitBytes = unitBytes(dialect);
    this.prefaceBytes = dialect.prefaceBytes;
    this.column = column;
    this.sink = sink;
    this.eachCell = sink.cell !== undefined;
  }

  write(bytes: Uint8Array): void {
    const units = this.reader.next(bytes);
    const { length } = units;
    this.cellFrom = 0;
    this.cellTo = 0;
    if (units instanceof Uint8Array) this.byWords(units);
    else this.byUnits(units, 0, length);
    if (this.at !== PLAIN) this.resolveQuote(units, length);
    this.unresolvedFrom = 0;
    if (this.cells === this.column) this.keep(units, Math.max(0, this.cellStart), length);
    else this.keep(units, this.cellFrom, this.cellTo);
    this.cellStart -= length;
    this.read += length;
  }

  /** Returns false if a quote was never closed. */
  end(): boolean {
    if (this.at === QUOTED || this.at === BRACKET || this.at === BRACKET_AT) return false;
    this.sink.cell?.(this.read + this.cellStart, this.read);
    this.cellFrom = 0;
    this.cellTo = 0;
    this.endRow(NOTHING, 0, this.cells + 1);
    return true;
  }

  /** Searches four bytes at a time for the ends of cells: most of a file is inside cells. */
  private byWords(bytes: Uint8Array): void {
    const { length, byteOffset } = bytes;
    if (length < BYTES_OF_WORD) return this.byUnits(bytes, 0, length);
    // A word starts at a multiple of its size.
    const head = -byteOffset & (BYTES_OF_WORD - 1);
    const words = new Int32Array(bytes.buffer, byteOffset + head, (length - head) >> 2);
    const delimiters = inEach(this.delimiter);
    this.byUnits(bytes, 0, head);
    for (let i = 0; i < words.length; i += 1) {
      const word = words[i] ?? 0;
      let found =
        HIGH_BITS &
        (zeros(word ^ delimiters) | zeros(word ^ LFS) | zeros(word ^ CRS) | zeros(word ^ QUOTES) | zeros(word));
      while (found !== 0) {
        const shift = (31 - Math.clz32(found & -found)) & ~7;
        this.takeUnit(bytes, head + BYTES_OF_WORD * i + (shift >> 3), (word >>> shift) & 0xff);
        found &= found - 1;
      }
    }
    this.byUnits(bytes, head + BYTES_OF_WORD * words.length, length);
  }

  private byUnits(units: Units, from: number, to: number): void {
    const { delimiter } = this;
    for (let i = from; i < to; i += 1) {
      const unit = units[i] ?? 0;
      if (unit === delimiter || unit === LF || unit === CR || unit === QUOTE || unit === NUL)
        this.takeUnit(units, i, unit);
    }
  }

  /** Handles delimiters, line breaks, quotes and NULs. `zeros` may report other units, which do no harm. */
  private takeUnit(units: Units, i: number, unit: number): void {
    if (this.at !== PLAIN && this.staysInQuotes(units, i, unit)) return;
    if (unit === this.delimiter || unit === LF || unit === CR) {
      if (this.eachCell) this.sink.cell?.(this.read + this.cellStart, this.read + i);
      if (this.cells === this.column) {
        this.cellFrom = Math.max(0, this.cellStart);
        this.cellTo = i;
      }
      this.cells += 1;
      this.cellStart = i + 1;
      this.at = PLAIN;
      if (unit === this.delimiter) return;
      this.endRow(units, i, this.cells);
      this.cells = 0;
    } else if (unit === QUOTE) {
      if (i === this.cellStart) this.at = QUOTED;
    } else if (unit === NUL) this.hasNul = true;
  }

  private staysInQuotes(units: Units, i: number, unit: number): boolean {
    this.resolveQuote(units, i);
    const isQuote = unit === QUOTE;
    if (isQuote) {
      this.at = this.at === QUOTE_SEEN ? QUOTED : QUOTE_SEEN;
      this.unresolvedFrom = i + 1;
    }
    // A delimiter inside the brackets means they contain no address.
    const ends = unit === this.delimiter || unit === LF || unit === CR;
    if (ends && (this.at === BRACKET || this.at === BRACKET_AT)) this.at = QUOTED;
    return isQuote || (this.at === QUOTED && unit !== NUL);
  }

  /**
   * Only white space, or an address in brackets, may follow a closing quote before the cell ends; otherwise the quote
   * was text.
   */
  private resolveQuote(units: Units, to: number): void {
    for (let i = this.unresolvedFrom; i < to && this.at !== QUOTED; i += 1) {
      const unit = units[i] ?? 0;
      const isWhite =
        unit === SPACE ||
        (unit >= TAB && unit <= CR) ||
        unit === NO_BREAK_SPACE ||
        (unit === NO_BREAK_LEAD && this.unitBytes === 1);
      this.at = behindQuote(this.at, unit, isWhite);
    }
    this.unresolvedFrom = to;
  }

  private endRow(units: Units, i: number, cells: number): void {
    const { rowStart, column } = this;
    const end = this.read + i;
    if (end > rowStart) {
      const start = this.byteOf(rowStart);
      const stop = this.byteOf(end);
      const length = this.keptUnits + this.cellTo - this.cellFrom;
      if (column < 0 || cells <= column || length > CELL_UNITS_MAX) this.sink.row(start, stop, cells, null, 0, 0);
      else if (this.keptUnits === 0) this.sink.row(start, stop, cells, units, this.cellFrom, this.cellTo);
      else
        this.sink.row(start, stop, cells, join([...this.kept, units.subarray(this.cellFrom, this.cellTo)]), 0, length);
    }
    this.rowStart = this.read + i + 1;
    this.cellFrom = 0;
    this.cellTo = 0;
    if (this.keptUnits > 0) this.kept = [];
    this.keptUnits = 0;
  }

  /** Copies the part, because the caller reuses the block's memory. Limited to the length of an address. */
  private keep(units: Units, from: number, to: number): void {
    if (to > from && this.keptUnits <= CELL_UNITS_MAX)
      this.kept.push(units.slice(from, Math.min(to, from + CELL_UNITS_MAX)));
    this.keptUnits += to - from;
  }

  private byteOf(unit: number): number {
    return this.prefaceBytes + unit * this.unitBytes;
  }
}

const NOTHING = new Uint8Array();

function join(parts: readonly Units[]): Units {
  const units = parts.flatMap((part) => [...part]);
  return parts[0] instanceof Uint16Array ? Uint16Array.from(units) : Uint8Array.from(units);
}

/** A row and its place in the text, without the line break. */
export interface TextRow {
  readonly cells: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The first rows of a text, cut exactly as in a whole file. A row whose quoted cell is cut off is left out. */
export function textRows(text: string, delimiter: Delimiter, limit: number): TextRow[] {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i += 1) view.setUint16(2 * i, text.charCodeAt(i), true);
  const rows: TextRow[] = [];
  let cells: string[] = [];
  const scanner = new CsvScanner({ encoding: 'utf-16le', prefaceBytes: 0, delimiter }, -1, {
    cell: (from, to) => {
      if (rows.length < limit) cells.push(unquoted(text.slice(from, to)));
    },
    row: (start, end, count) => {
      // Blank lines before it left an empty cell each.
      if (rows.length < limit) rows.push({ cells: cells.slice(-count), start: start / 2, end: end / 2 });
      cells = [];
    },
  });
  scanner.write(bytes);
  scanner.end();
  return rows;
}
