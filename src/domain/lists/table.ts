/**
 * A 64-bit string hash, read from the last character to the first: the state after each dot of a domain is the hash of that
 * parent domain, so one pass hashes a domain and all its parents. Two 32-bit lanes (odd multipliers of xxHash32; one lane
 * rotates, so that both don't lose the same bits), each finished with the mixer of MurmurHash3. The list builder and the
 * Worker share this file; a test vector holds it still, as the packed files are made of it.
 */
export const HIGH_SEED = 0x9e3779b9;
export const LOW_SEED = 0x165667b1;

/** The lanes after one more character (UTF-16 code unit). Signed 32-bit integers. */
export const nextHigh = (lane: number, code: number): number => Math.imul(lane ^ code, 0x85ebca77);
export const nextLow = (lane: number, code: number): number =>
  Math.imul(((lane << 13) | (lane >>> 19)) ^ code, 0xc2b2ae3d);

/** Unsigned 32 bits out of both lanes: `finish(high, low)` is the upper half of the hash, `finish(low, high)` the lower. */
export function mixLanes(lane: number, other: number): number {
  let h = lane ^ (other >>> 15);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The whole string's hash as [upper, lower] 32 bits. */
export function hashOf(text: string): readonly [high: number, low: number] {
  let high = HIGH_SEED;
  let low = LOW_SEED;
  for (let i = text.length - 1; i >= 0; i -= 1) {
    const code = text.charCodeAt(i);
    high = nextHigh(high, code);
    low = nextLow(low, code);
  }
  return [mixLanes(high, low), mixLanes(low, high)];
}

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
