/** Frees the arrays' memory at once, seconds before the garbage collector would, and leaves them empty. */
export function release(...arrays: readonly { readonly buffer: ArrayBuffer }[]): void {
  for (const { buffer } of arrays) buffer.transfer(0);
}

/** Byte strings stored end to end, addressed by number. */
export class ByteList {
  size = 0;
  private bytes = new Uint8Array(2 ** 16);
  /** Offsets of each string, and of the next one. */
  private starts = new Uint32Array(2 ** 12);

  get byteLength(): number {
    return this.starts[this.size] ?? 0;
  }

  length(number: number): number {
    return (this.starts[number + 1] ?? 0) - (this.starts[number] ?? 0);
  }

  /** Copies a string to `target` at `at`; returns its end there. */
  copy(number: number, target: Uint8Array, at: number): number {
    const start = this.starts[number] ?? 0;
    const length = this.length(number);
    for (let i = 0; i < length; i += 1) target[at + i] = this.bytes[start + i] ?? 0;
    return at + length;
  }

  push(bytes: Uint8Array, to: number): void {
    const start = this.byteLength;
    const end = start + to;
    if (end > this.bytes.length) this.bytes = new Uint8Array(this.bytes.buffer.transfer(2 * end));
    for (let i = 0; i < to; i += 1) this.bytes[start + i] = bytes[i] ?? 0;
    this.size += 1;
    if (this.size === this.starts.length) {
      this.starts = new Uint32Array(this.starts.buffer.transfer(2 * this.starts.byteLength));
    }
    this.starts[this.size] = end;
  }

  /** Removes the first `count` strings. */
  drop(count: number): void {
    const dropped = this.starts[count] ?? 0;
    this.bytes.copyWithin(0, dropped, this.byteLength);
    this.starts.copyWithin(0, count, this.size + 1);
    this.size -= count;
    for (let number = 0; number <= this.size; number += 1) this.starts[number] = (this.starts[number] ?? 0) - dropped;
  }

  release(): void {
    release(this.bytes, this.starts);
  }
}

const VERSION = 1;
const HEAD_BYTES = 8;
const ROW_BYTES = 14;

/** Used in place of an address's number: the header, and a row that is not checked (empty, no `@`, too long). */
export const HEADER_ROW = 0xffff_fffe;
export const SKIPPED_ROW = 0xffff_ffff;

/**
 * Where new cells go in an upload. Each row takes fourteen bytes: start and end of its content, its unique address's
 * number (or one of the constants above), and the delimiters it lacks to reach the file's width.
 */
export interface RowIndex {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly numbers: Uint32Array;
  readonly padding: Uint16Array;
}

/** Little-endian: version, rows (u32 each), all starts, ends and numbers (u32 each), all paddings (u16). */
export function encodeRowIndex({ starts, ends, numbers, padding }: RowIndex): Uint8Array<ArrayBuffer> {
  const rows = ends.length;
  const bytes = new Uint8Array(HEAD_BYTES + rows * ROW_BYTES);
  new Uint32Array(bytes.buffer, 0, 2).set([VERSION, rows]);
  for (const [column, values] of [starts, ends, numbers].entries()) {
    new Uint32Array(bytes.buffer, HEAD_BYTES + rows * 4 * column, rows).set(values);
  }
  new Uint16Array(bytes.buffer, HEAD_BYTES + rows * 12, rows).set(padding);
  return bytes;
}

/** Null for any other version. */
export function decodeRowIndex(buffer: ArrayBuffer): RowIndex | null {
  if (buffer.byteLength < HEAD_BYTES) return null;
  const [version, rows = 0] = new Uint32Array(buffer, 0, 2);
  if (version !== VERSION || buffer.byteLength !== HEAD_BYTES + rows * ROW_BYTES) return null;
  return {
    starts: new Uint32Array(buffer, HEAD_BYTES, rows),
    ends: new Uint32Array(buffer, HEAD_BYTES + rows * 4, rows),
    numbers: new Uint32Array(buffer, HEAD_BYTES + rows * 8, rows),
    padding: new Uint16Array(buffer, HEAD_BYTES + rows * 12, rows),
  };
}

/** Unique addresses in a chunk; jobs are cut on this grid. */
export const CHUNK_ADDRESSES = 100;

export const chunksOf = (unique: number): number => Math.ceil(unique / CHUNK_ADDRESSES);

const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c];

/**
 * Writes the file of a job's unique addresses: one JSON array a chunk, by number, then a table of chunk offsets and the
 * end (u32, little-endian). Made in pieces, so that memory never holds all of it.
 */
export class AddressFile {
  private readonly table: Uint32Array<ArrayBuffer>;
  private chunks = 0;
  private length = 0;

  /** @param addresses upper bound of their number */
  constructor(addresses: number) {
    this.table = new Uint32Array(chunksOf(addresses) + 1);
  }

  /**
   * The next piece: whole chunks, except the very last.
   * @param literals the addresses as JSON strings
   * @param order their order
   * @param isLast the table follows it
   */
  piece(literals: ByteList, order: Uint32Array, isLast: boolean): Uint8Array<ArrayBuffer> {
    const chunks = chunksOf(order.length);
    // A bracket or comma before each, and a closing bracket for each chunk.
    let length = order.length + chunks;
    for (const number of order) length += literals.length(number);
    const tableBytes = isLast ? tableLength(this.chunks + chunks) : 0;
    const piece = new Uint8Array(length + tableBytes);
    let at = 0;
    for (let place = 0; place < order.length; place += 1) {
      const isFirst = place % CHUNK_ADDRESSES === 0;
      if (isFirst) this.table[this.chunks + place / CHUNK_ADDRESSES] = this.length + at;
      piece[at] = isFirst ? OPEN : COMMA;
      at = literals.copy(order[place] ?? 0, piece, at + 1);
      if (place % CHUNK_ADDRESSES === CHUNK_ADDRESSES - 1 || place === order.length - 1) {
        piece[at] = CLOSE;
        at += 1;
      }
    }
    this.chunks += chunks;
    this.length += length;
    this.table[this.chunks] = this.length;
    if (isLast) piece.set(new Uint8Array(this.table.buffer, 0, tableBytes), length);
    return piece;
  }
}

const tableLength = (chunks: number): number => Uint32Array.BYTES_PER_ELEMENT * (chunks + 1);

/** The table's place: at the end of the file. */
export const tablePlace = (unique: number): { readonly suffix: number } => ({ suffix: tableLength(chunksOf(unique)) });

/** Null if the bytes are not a table. */
export function parseTable(bytes: ArrayBuffer): Uint32Array | null {
  const table = new Uint32Array(bytes);
  return table.every((place, chunk) => chunk === 0 || place >= (table[chunk - 1] ?? 0)) ? table : null;
}

/** A chunk's range in the address file. */
export function chunkPlace(table: Uint32Array, chunk: number): { readonly offset: number; readonly length: number } {
  const [from = 0, to = 0] = table.subarray(chunk, chunk + 2);
  return { offset: from, length: to - from };
}

export const parseChunk = (text: string): string[] => JSON.parse(text) as string[];
