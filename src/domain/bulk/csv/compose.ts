import { HEADER_ROW, type RowIndex } from './address-file.ts';
import { type Charset, type Dialect, unitBytes } from './dialect.ts';

/** Characters above ASCII by their byte. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 128 }, (_, i) => 128 + i).map((byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);

/** Null if the encoding lacks a character. */
function encodeWindows1252(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    const byte = unit < 128 ? unit : BYTES.get(text.charAt(i));
    if (byte === undefined) return null;
    bytes[i] = byte;
  }
  return bytes;
}

/** A row's new cells. `shared`: one object for all rows with the same cells; `own`: the row's last cells. */
export interface NewCells {
  readonly shared: readonly string[];
  readonly own: readonly string[];
}

export interface NewColumns {
  readonly header: readonly string[];
  /** `number`: a unique address's, or `SKIPPED_ROW`. */
  cells(number: number): NewCells;
  /** Which rows to write, or null for all. The header is always written. */
  readonly includes: ((number: number) => boolean) | null;
}

/** Many small chunks cost a stream more than copying them together. */
const CHUNK_BYTES = 64 * 1024;

const [LF, CR] = [0x0a, 0x0d];

/**
 * An upload with new cells at the end of each row; the customer's own bytes stay untouched. Takes the upload's blocks
 * in order. A file is gap, row, gap, …, gap, where a gap is line breaks and blank lines.
 */
export class ResultComposer {
  private readonly index: RowIndex;
  private readonly columns: NewColumns;
  private readonly dialect: Dialect;
  private readonly encode: (text: string) => Uint8Array;
  /** Even: the gap before row `part / 2`; odd: the row itself. */
  private part = 0;
  private at = 0;
  /** End of the current gap's first line break, or null until seen. */
  private breakEnd: number | null = null;
  private wroteRow = false;
  private readonly written = new WeakMap<readonly string[], Uint8Array>();
  private readonly chunk = new Uint8Array(CHUNK_BYTES);
  private filled = 0;

  /** @param charset of the file's 8-bit cells; null if unknown */
  constructor(dialect: Dialect, charset: Charset | null, index: RowIndex, columns: NewColumns) {
    this.dialect = dialect;
    this.index = index;
    this.columns = columns;
    this.encode = encoderOf(dialect, charset);
  }

  /** The output for the next block. Each chunk is valid until the next one is read. */
  *write(block: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    while (from < block.length) {
      const end = this.partEnd() - this.at;
      const to = Math.min(end, block.length);
      const wanted = this.wantedTo(block, from, to);
      for (let at = this.fill(block, from, wanted); at < wanted; at = this.fill(block, at, wanted)) yield this.take();
      from = to;
      if (to < end) continue;
      for (const piece of this.endPart()) {
        for (let at = this.fill(piece, 0); at < piece.length; at = this.fill(piece, at)) yield this.take();
      }
    }
    this.at += block.length;
  }

  /** The rest after the last block. Throws if rows of the index are missing, so that no part passes for all. */
  end(): Uint8Array {
    if (this.part < 2 * this.index.ends.length) throw new Error('a stored file ends before its last row');
    return this.take();
  }

  /** End of the current part; infinity for the last gap. */
  private partEnd(): number {
    const { starts, ends } = this.index;
    const row = this.part >> 1;
    return (this.part % 2 === 0 ? starts[row] : ends[row]) ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the current part is written. A gap is written with the row after it, except for the first row. */
  private isPassed(): boolean {
    const isGap = this.part % 2 === 0;
    return this.columns.includes === null || (this.isWanted(this.part >> 1) && (!isGap || this.wroteRow));
  }

  /** How far the current part is written. A segment keeps only a gap's first line break: blank lines are not rows. */
  private wantedTo(block: Uint8Array, from: number, to: number): number {
    if (!this.isPassed()) return this.part === 0 ? Math.min(to, this.dialect.prefaceBytes - this.at) : from;
    if (this.columns.includes === null || this.part % 2 === 1) return to;
    if (this.breakEnd === null) {
      const { encoding, lineBreak } = this.dialect;
      // A gap holds only CRs and LFs.
      const found = block.subarray(from, to).indexOf(lineBreak === 'lf' ? LF : CR);
      if (found === -1) return to;
      this.breakEnd = this.at + from + found + (encoding === 'utf-16le' ? 2 : 1);
    }
    return Math.min(to, Math.max(from, this.breakEnd - this.at));
  }

  /** Ends a part. After a wanted row it yields the new cells in pieces, each valid until the next one is read. */
  private *endPart(): Generator<Uint8Array> {
    const row = this.part >> 1;
    const isRow = this.part % 2 === 1;
    this.part += 1;
    this.breakEnd = null;
    if (!isRow || !this.isWanted(row)) return;
    this.wroteRow = true;
    const number = this.index.numbers[row] ?? HEADER_ROW;
    const padding = this.index.padding[row] ?? 0;
    if (padding > 0) yield this.encode(this.dialect.delimiter.repeat(padding));
    if (number === HEADER_ROW) yield this.encoded(this.columns.header);
    else yield* this.pieces(this.columns.cells(number));
  }

  private isWanted(row: number): boolean {
    const number = this.index.numbers[row];
    // After the last row: its line break, if anything came before.
    if (number === undefined) return this.wroteRow;
    return number === HEADER_ROW || this.columns.includes === null || this.columns.includes(number);
  }

  private *pieces({ shared, own }: NewCells): Generator<Uint8Array> {
    const known = this.written.get(shared);
    const written = known ?? this.encoded(shared).slice();
    if (known === undefined) this.written.set(shared, written);
    yield written;
    yield this.encoded(own);
  }

  private encoded(cells: readonly string[]): Uint8Array {
    const { delimiter } = this.dialect;
    let text = '';
    for (const cell of cells) text += delimiter + quoted(cell, delimiter);
    return this.encode(text);
  }

  /** Copies what fits into the chunk; returns where it stopped. */
  private fill(bytes: Uint8Array, from: number, to = bytes.length): number {
    const next = Math.min(to, from + CHUNK_BYTES - this.filled);
    if (next <= from) return from;
    this.chunk.set(bytes.subarray(from, next), this.filled);
    this.filled += next - from;
    return next;
  }

  private take(): Uint8Array {
    const taken = this.chunk.subarray(0, this.filled);
    this.filled = 0;
    return taken;
  }
}

/** RFC 4180 §2.6 and 2.7. */
function quoted(cell: string, delimiter: string): string {
  const needs = cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') || cell.includes('\r');
  return needs ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Encodes new cells in the file's encoding. Only a corrected address may contain non-ASCII, which UTF-8 and
 * Windows-1252 encode differently. The bytes are valid until the next call.
 */
function encoderOf(dialect: Dialect, charset: Charset | null): (text: string) => Uint8Array {
  const utf8 = new TextEncoder();
  const isLittleEndian = dialect.encoding === 'utf-16le';
  let bytes = new Uint8Array(0);
  return (text) => {
    // Some files contain both: a cell that does not fit Windows-1252 was UTF-8.
    const narrow = charset === 'windows-1252' ? encodeWindows1252(text) : null;
    if (narrow !== null) return narrow;
    // A UTF-16 unit takes at most three bytes of UTF-8.
    if (bytes.length < 3 * text.length) bytes = new Uint8Array(3 * text.length);
    if (unitBytes(dialect) === 1) return bytes.subarray(0, utf8.encodeInto(text, bytes).written);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < text.length; i += 1) view.setUint16(i * 2, text.charCodeAt(i), isLittleEndian);
    return bytes.subarray(0, 2 * text.length);
  };
}
