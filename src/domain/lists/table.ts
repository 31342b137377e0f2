/**
 * A packed table: 64-bit hashes in ascending order, each with one byte of set bits. Little-endian, 32-bit aligned, read in
 * place:
 *
 *     u32 magic · u32 format version · u32 count · u32 index bits · u32 members of set 0 … 7
 *     u32 bucket starts [2^index bits + 1] · u32 upper halves [count] · u32 lower halves [count] · u8 sets [count]
 *
 * A bucket holds the hashes with the same first bits, about eight, scanned in order.
 */
export const MAGIC = 0x31534c45; // "ELS1"
export const FORMAT_VERSION = 1;
export const HEADER_WORDS = 12;
export const SET_COUNT_WORD = 4;

export interface Table {
  /** Number of entries. */
  readonly count: number;
  /** Entries of each set, by bit number. */
  readonly setCounts: readonly number[];
  /** The set bits of the entry with this hash; 0 for an unknown hash. */
  find(high: number, low: number): number;
}

/** Views a packed table without copying or parsing it. Throws on anything that is not a whole table of this version. */
export function openTable(data: ArrayBuffer | Uint8Array): Table {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  // A file read by Node may start anywhere in a shared buffer; words must start at a multiple of four.
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  if (byteLength < HEADER_WORDS * 4) throw new Error('packed list: too short');
  const header = new Uint32Array(buffer, byteOffset, HEADER_WORDS);
  const [magic, version, count = 0, indexBits = 0] = header;
  if (magic !== MAGIC || version !== FORMAT_VERSION) throw new Error('packed list: not a table of this version');
  const startsAt = byteOffset + HEADER_WORDS * 4;
  const starts = 2 ** indexBits + 1;
  if (byteLength !== (HEADER_WORDS + starts + 2 * count) * 4 + count) throw new Error('packed list: wrong length');
  const buckets = new Uint32Array(buffer, startsAt, starts);
  const highs = new Uint32Array(buffer, startsAt + starts * 4, count);
  const lows = new Uint32Array(buffer, startsAt + (starts + count) * 4, count);
  const sets = new Uint8Array(buffer, startsAt + (starts + 2 * count) * 4, count);
  const shift = 32 - indexBits;

  return {
    count,
    setCounts: [...header.subarray(SET_COUNT_WORD)],
    find(high, low) {
      const bucket = high >>> shift;
      const end = buckets[bucket + 1] as number;
      for (let i = buckets[bucket] as number; i < end; i += 1) {
        if (highs[i] === high && lows[i] === low) return sets[i] as number;
      }
      return 0;
    },
  };
}
