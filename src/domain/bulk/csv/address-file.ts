import type { ByteList } from './byte-list.ts';

/** Unique addresses in one range; jobs are cut on this grid. */
export const RANGE_ADDRESSES = 100;

export const rangesOf = (unique: number): number => Math.ceil(unique / RANGE_ADDRESSES);

const [OPEN, CLOSE, COMMA] = [0x5b, 0x5d, 0x2c];

/**
 * Makes the file of a job's unique addresses: one JSON array a range, in the order of their numbers, then a table of
 * where each range begins and the last one ends (u32, little-endian). It is made in pieces, so that memory never holds
 * all of it.
 */
export class AddressFile {
  private readonly table: Uint32Array<ArrayBuffer>;
  private ranges = 0;
  private length = 0;

  /** @param addresses how many there will be at most */
  constructor(addresses: number) {
    this.table = new Uint32Array(rangesOf(addresses) + 1);
  }

  /**
   * The next piece: whole ranges; only the very last may be shorter.
   * @param literals the addresses as JSON strings
   * @param order which of them comes first, second …
   * @param isLast the table follows it
   */
  piece(literals: ByteList, order: Uint32Array, isLast: boolean): Uint8Array<ArrayBuffer> {
    const ranges = rangesOf(order.length);
    // A bracket or comma before each and one bracket behind each range.
    let length = order.length + ranges;
    for (const number of order) length += literals.length(number);
    const tableBytes = isLast ? tableLength(this.ranges + ranges) : 0;
    const piece = new Uint8Array(length + tableBytes);
    let at = 0;
    for (let place = 0; place < order.length; place += 1) {
      const isFirst = place % RANGE_ADDRESSES === 0;
      if (isFirst) this.table[this.ranges + place / RANGE_ADDRESSES] = this.length + at;
      piece[at] = isFirst ? OPEN : COMMA;
      at = literals.copy(order[place] ?? 0, piece, at + 1);
      if (place % RANGE_ADDRESSES === RANGE_ADDRESSES - 1 || place === order.length - 1) {
        piece[at] = CLOSE;
        at += 1;
      }
    }
    this.ranges += ranges;
    this.length += length;
    this.table[this.ranges] = this.length;
    if (isLast) piece.set(new Uint8Array(this.table.buffer, 0, tableBytes), length);
    return piece;
  }
}

const tableLength = (ranges: number): number => Uint32Array.BYTES_PER_ELEMENT * (ranges + 1);

/** The table's place in a file of `unique` addresses: at its end. */
export const tablePlace = (unique: number): { readonly suffix: number } => ({ suffix: tableLength(rangesOf(unique)) });

/** The table of a file; null: these bytes are not a table. */
export function parseTable(bytes: ArrayBuffer): Uint32Array | null {
  const table = new Uint32Array(bytes);
  return table.every((place, range) => range === 0 || place >= (table[range - 1] ?? 0)) ? table : null;
}

/** Where a range's addresses stand. */
export function rangePlace(table: Uint32Array, range: number): { readonly offset: number; readonly length: number } {
  const [from = 0, to = 0] = table.subarray(range, range + 2);
  return { offset: from, length: to - from };
}

export const parseRange = (text: string): string[] => JSON.parse(text) as string[];
