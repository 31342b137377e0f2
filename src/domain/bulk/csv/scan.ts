import { type Dialect, unitBytes } from './dialect.ts';
import { UnitReader, type Units } from './units.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;

/** Code units of a cell that are kept: an address has 320 characters at most, of up to 4 bytes, and quotes may be doubled. */
const CELL_UNITS_MAX = 2_000;

/** Where in a cell the scanner stands. */
const START = 0;
const PLAIN = 1;
const QUOTED = 2;
/** Behind a quote inside a quoted cell: its end, or the first of two that stand for one. */
const QUOTE_SEEN = 3;
/** White space between the closing quote and what ends the cell (`"a" ,b`). */
const CLOSED = 4;

/** Takes the rows in their order. Blank lines are none. */
export interface RowSink {
  /**
   * @param startByte where in the file the row begins
   * @param endByte where its content ends: before its line break
   * @param cells how many cells it has
   * @param units hold the wanted cell from `from` up to `to`, raw, quotes included, good for this call alone; null where the
   *   row does not reach it, and for a cell longer than any address
   */
  row(startByte: number, endByte: number, cells: number, units: Units | null, from: number, to: number): void;
}

/**
 * Cuts a file into rows, block by block, by the rules papaparse goes by: a cell is quoted when its first character is a
 * quote, two quotes inside stand for one, and a quote that neither ends the cell nor is doubled is text.
 */
export class CsvScanner {
  private readonly reader: UnitReader;
  private readonly delimiter: number;
  private readonly lineBreak: number;
  private readonly unitBytes: number;
  private readonly prefaceBytes: number;
  private readonly column: number;
  private readonly sink: RowSink;
  private at = START;
  /** Cells of this row that have ended. */
  private cells = 0;
  /** Units before this block, and before this row. */
  private read = 0;
  private rowStart = 0;
  /** CRs that end what was read. */
  private trailingCrs = 0;
  /** What earlier blocks hold of the wanted cell; where in this one it stands. */
  private kept: Units[] = [];
  private keptUnits = 0;
  private cellFrom = 0;
  private cellTo = 0;

  /** `column`: the one whose cells are handed over; −1 for none. */
  constructor(dialect: Dialect, column: number, sink: RowSink) {
    this.reader = new UnitReader(dialect);
    this.delimiter = dialect.delimiter.charCodeAt(0);
    this.lineBreak = dialect.lineBreak === 'lf' ? LF : CR;
    this.unitBytes = unitBytes(dialect);
    this.prefaceBytes = dialect.prefaceBytes;
    this.column = column;
    this.sink = sink;
  }

  /** The next bytes of the file. */
  write(bytes: Uint8Array): void {
    const units = this.reader.next(bytes);
    const { delimiter, lineBreak, column } = this;
    // Most of a file is the inside of cells, which is passed four units a turn: a turn costs as much as a unit. Most units
    // lie above whatever ends a cell.
    const highest = Math.max(delimiter, lineBreak);
    const ends = (unit: number): boolean => unit <= highest && (unit === delimiter || unit === lineBreak);
    const { length } = units;
    let { at, cells } = this;
    let cellStart = 0;
    this.cellFrom = 0;
    this.cellTo = 0;
    for (let i = 0; i < length; i += 1) {
      let unit = units[i] ?? 0;
      if (at === QUOTED) {
        i = units.indexOf(QUOTE, i);
        if (i === -1) break;
        at = QUOTE_SEEN;
        continue;
      }
      if (at === PLAIN || (at === START && unit !== QUOTE)) {
        at = PLAIN;
        for (; i < length - 4; i += 4) {
          if (ends(units[i] ?? 0)) break;
          if (ends(units[i + 1] ?? 0)) {
            i += 1;
            break;
          }
          if (ends(units[i + 2] ?? 0)) {
            i += 2;
            break;
          }
          if (ends(units[i + 3] ?? 0)) {
            i += 3;
            break;
          }
        }
        unit = units[i] ?? 0;
        while (!ends(unit)) {
          i += 1;
          if (i === length) break;
          unit = units[i] ?? 0;
        }
        if (i === length) break;
      }
      if (unit === delimiter || unit === lineBreak) {
        if (cells === column) {
          this.cellFrom = cellStart;
          this.cellTo = i;
        }
        cells += 1;
        cellStart = i + 1;
        at = START;
        if (unit === delimiter) continue;
        this.endRow(units, i, cells);
        cells = 0;
      } else if (unit === QUOTE) {
        at = at === START || at === QUOTE_SEEN ? QUOTED : QUOTE_SEEN;
      } else {
        at = unit === SPACE || unit === TAB || unit === CR || unit === LF ? CLOSED : QUOTED;
      }
    }
    this.at = at;
    this.cells = cells;
    if (cells === column) this.keep(units, cellStart, length);
    else this.keep(units, this.cellFrom, this.cellTo);
    this.countCrs(units);
    this.read += length;
  }

  /** The end of the file. False when a quote was never closed. */
  end(): boolean {
    if (this.at === QUOTED) return false;
    this.cellFrom = 0;
    this.cellTo = 0;
    this.endRow(NOTHING, 0, this.cells + 1);
    return true;
  }

  private endRow(units: Units, i: number, cells: number): void {
    const { rowStart, column } = this;
    const end = this.contentEnd(units, i);
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

  /** Where the content of the row whose break stands at `i` ends: CRs before an LF belong to it (some write two). */
  private contentEnd(units: Units, i: number): number {
    if (this.lineBreak === CR) return this.read + i;
    let end = i;
    while (end > 0 && units[end - 1] === CR) end -= 1;
    return Math.max(this.rowStart, this.read + end - (end > 0 ? 0 : this.trailingCrs));
  }

  /** Copied, since the block's memory is the caller's again; no more than an address can have. */
  private keep(units: Units, from: number, to: number): void {
    if (to > from && this.keptUnits <= CELL_UNITS_MAX)
      this.kept.push(units.slice(from, Math.min(to, from + CELL_UNITS_MAX)));
    this.keptUnits += to - from;
  }

  private countCrs(units: Units): void {
    let crs = 0;
    while (crs < units.length && units[units.length - 1 - crs] === CR) crs += 1;
    this.trailingCrs = crs === units.length ? this.trailingCrs + crs : crs;
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
