/** Of the layout. */
const VERSION = 1;
const HEAD_BYTES = 8;
const ROW_BYTES = 14;

/** These stand in place of an address's number: the header, and a row that is not checked (empty, no `@`, too long). */
export const HEADER_ROW = 0xffff_fffe;
export const SKIPPED_ROW = 0xffff_ffff;

/**
 * Where the new cells go in an upload. Each row takes fourteen bytes: where its content begins and ends, the number of
 * its unique address (or one of the two words above), and how many delimiters it lacks to reach the file's width.
 */
export interface RowIndex {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly numbers: Uint32Array;
  readonly padding: Uint16Array;
}

/** Layout, little-endian: version, rows (u32 each), all starts, all ends, all numbers (u32 each), all paddings (u16). */
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

/** Null when the bytes are not an index of this version. */
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
