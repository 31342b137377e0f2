import { type Dialect, unitBytes } from './dialect.ts';
import { HEADER_ROW, type RowIndex } from './row-index.ts';

/** The new cells, as the composer asks for them. */
export interface CellSource {
  /** The new columns, in their order. */
  readonly header: readonly string[];
  /** Of the row with this number (a unique address's, or `SKIPPED_ROW`). */
  cells(number: number): readonly string[];
  /** Which rows are wanted; null: all of them. The header always is. */
  readonly includes: ((number: number) => boolean) | null;
}

/** Bytes given out at a time: many small pieces cost a stream more than their copying. */
const CHUNK_BYTES = 64 * 1024;

/**
 * An upload with new cells at the end of each row, the customer's own bytes untouched in between. Fed with the upload's
 * blocks in their order. A file is taken as gap, row, gap, row …, gap: a gap is line breaks and blank lines.
 */
export class ResultComposer {
  private readonly index: RowIndex;
  private readonly source: CellSource;
  private readonly dialect: Dialect;
  private readonly encode: (text: string) => Uint8Array;
  /** Even: the gap before row `part / 2`; odd: the row itself. */
  private part = 0;
  private at = 0;
  private wroteRow = false;
  private chunk = new Uint8Array(CHUNK_BYTES);
  private filled = 0;

  constructor(dialect: Dialect, index: RowIndex, source: CellSource) {
    this.dialect = dialect;
    this.index = index;
    this.source = source;
    this.encode = encoderOf(dialect);
  }

  /** What comes out for the next block: chunks that stay as they are. */
  *write(block: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    while (from < block.length) {
      const end = this.partEnd() - this.at;
      const to = Math.min(end, block.length);
      if (to > from && this.isPassed()) yield* this.put(block, from, to);
      else if (this.part === 0) yield* this.put(block, from, Math.min(to, this.dialect.bomBytes - this.at));
      from = to;
      if (to === end) yield* this.turn();
    }
    this.at += block.length;
    if (this.filled > 0) yield this.take();
  }

  /** Where the current part ends; the last gap has no end. */
  private partEnd(): number {
    const { starts, ends } = this.index;
    const row = this.part >> 1;
    return (this.part % 2 === 0 ? starts[row] : ends[row]) ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the current part's bytes are wanted. A gap goes with the row behind it, if there is one to part it from. */
  private isPassed(): boolean {
    const isGap = this.part % 2 === 0;
    return this.source.includes === null || (this.isWanted(this.part >> 1) && (!isGap || this.wroteRow));
  }

  /** At the end of a part; at that of a wanted row its new cells go in. */
  private *turn(): Generator<Uint8Array> {
    const row = this.part >> 1;
    if (this.part % 2 === 1 && this.isWanted(row)) {
      this.wroteRow = true;
      const cells = this.encode(this.cellsOf(row));
      yield* this.put(cells, 0, cells.length);
    }
    this.part += 1;
  }

  private isWanted(row: number): boolean {
    const number = this.index.numbers[row];
    // Behind the last row: its line break, if anything came before.
    if (number === undefined) return this.wroteRow;
    return number === HEADER_ROW || this.source.includes === null || this.source.includes(number);
  }

  private cellsOf(row: number): string {
    const { delimiter } = this.dialect;
    const number = this.index.numbers[row] ?? HEADER_ROW;
    const cells = number === HEADER_ROW ? this.source.header : this.source.cells(number);
    let text = delimiter.repeat(this.index.padding[row] ?? 0);
    for (const cell of cells) text += delimiter + quoted(cell, delimiter);
    return text;
  }

  private *put(bytes: Uint8Array, from: number, to: number): Generator<Uint8Array> {
    for (let at = from; at < to; ) {
      const next = Math.min(to, at + CHUNK_BYTES - this.filled);
      this.chunk.set(bytes.subarray(at, next), this.filled);
      this.filled += next - at;
      at = next;
      if (this.filled === CHUNK_BYTES) yield this.take();
    }
  }

  private take(): Uint8Array {
    const taken = this.chunk.subarray(0, this.filled);
    this.chunk = new Uint8Array(CHUNK_BYTES);
    this.filled = 0;
    return taken;
  }
}

/** RFC 4180 §2.6 and 2.7. */
function quoted(cell: string, delimiter: string): string {
  const needs = cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') || cell.includes('\r');
  return needs ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** New cells are written as the file is; what is UTF-8 for them is ASCII, and so fits a Windows-1252 file too. */
function encoderOf(dialect: Dialect): (text: string) => Uint8Array {
  const utf8 = new TextEncoder();
  if (unitBytes(dialect) === 1) return (text) => utf8.encode(text);
  const isLittleEndian = dialect.encoding === 'utf-16le';
  return (text) => {
    const view = new DataView(new ArrayBuffer(text.length * 2));
    for (let i = 0; i < text.length; i += 1) view.setUint16(i * 2, text.charCodeAt(i), isLittleEndian);
    return new Uint8Array(view.buffer);
  };
}
