import type { ByteList } from './byte-table.ts';

/** Unique addresses of one range: the grid that jobs are cut on. */
export const RANGE_ADDRESSES = 100;

export const rangesOf = (unique: number): number => Math.ceil(unique / RANGE_ADDRESSES);

const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c];

/**
 * The unique addresses of a job in the order of their numbers, a JSON array a range, behind a table of where each begins
 * (an offset a range and the end: u32, little-endian).
 * @param literals the addresses as JSON strings
 * @param order which of them comes first, second …
 */
export function encodeAddressFile(literals: ByteList, order: Uint32Array): Uint8Array<ArrayBuffer> {
  const table = new Uint32Array(rangesOf(order.length) + 1);
  // A bracket or comma before each and one bracket behind each range.
  let length = table.byteLength + order.length + table.length - 1;
  for (let number = 0; number < literals.size; number += 1) length += literals.length(number);
  const file = new Uint8Array(length);
  let at = table.byteLength;
  for (let place = 0; place < order.length; place += 1) {
    const isFirst = place % RANGE_ADDRESSES === 0;
    if (isFirst) table[place / RANGE_ADDRESSES] = at;
    file[at] = isFirst ? OPEN : COMMA;
    at = literals.copy(order[place] ?? 0, file, at + 1);
    if (place % RANGE_ADDRESSES === RANGE_ADDRESSES - 1 || place === order.length - 1) {
      file[at] = CLOSE;
      at += 1;
    }
  }
  table[table.length - 1] = at;
  file.set(new Uint8Array(table.buffer));
  return file;
}

/** Where the table of a file with so many addresses stands. */
export const tablePlace = (unique: number): { readonly offset: number; readonly length: number } => ({
  offset: 0,
  length: 4 * (rangesOf(unique) + 1),
});

/** Where a range's addresses stand. */
export function rangePlace(table: Uint32Array, range: number): { readonly offset: number; readonly length: number } {
  const [from = 0, to = 0] = table.subarray(range, range + 2);
  return { offset: from, length: to - from };
}

export const parseRange = (text: string): string[] => JSON.parse(text) as string[];
