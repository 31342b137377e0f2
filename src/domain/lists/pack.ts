import { FORMAT_VERSION, HEADER_WORDS, MAGIC, SET_COUNT_WORD } from './table.ts';

const PER_BUCKET = 8;

/** Hashed names with their set bits, side by side in the order they came. Each hash is there once. */
export interface HashedNames {
  readonly count: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  readonly sets: Uint8Array;
}

/**
 * Packs hashed names as `table.ts` lays them out: counted into their buckets, then put in order inside each. The same names give
 * the same bytes, whatever their order.
 */
export function packTable({ count, highs, lows, sets }: HashedNames): Uint8Array {
  const indexBits = Math.max(1, Math.ceil(Math.log2(count / PER_BUCKET)));
  const starts = 2 ** indexBits + 1;
  const shift = 32 - indexBits;
  const words = HEADER_WORDS + starts + 2 * count;
  const bytes = new Uint8Array(words * 4 + count);
  const header = new Uint32Array(bytes.buffer, 0, HEADER_WORDS);
  const buckets = new Uint32Array(bytes.buffer, HEADER_WORDS * 4, starts);
  const packedHighs = new Uint32Array(bytes.buffer, (HEADER_WORDS + starts) * 4, count);
  const packedLows = new Uint32Array(bytes.buffer, (HEADER_WORDS + starts + count) * 4, count);
  const packedSets = new Uint8Array(bytes.buffer, words * 4, count);

  header.set([MAGIC, FORMAT_VERSION, count, indexBits]);
  for (let i = 0; i < count; i += 1) {
    const bits = sets[i] as number;
    for (let set = 0; set < HEADER_WORDS - SET_COUNT_WORD; set += 1)
      if (bits & (1 << set)) header[SET_COUNT_WORD + set] = (header[SET_COUNT_WORD + set] as number) + 1;
    const after = ((highs[i] as number) >>> shift) + 1;
    buckets[after] = (buckets[after] as number) + 1;
  }
  for (let bucket = 1; bucket < starts; bucket += 1)
    buckets[bucket] = (buckets[bucket] as number) + (buckets[bucket - 1] as number);

  const ends = buckets.slice(0, -1);
  for (let i = 0; i < count; i += 1) {
    const high = highs[i] as number;
    const low = lows[i] as number;
    const bucket = high >>> shift;
    let at = ends[bucket] as number;
    ends[bucket] = at + 1;
    for (; at > (buckets[bucket] as number); at -= 1) {
      const before = packedHighs[at - 1] as number;
      if (before < high || (before === high && (packedLows[at - 1] as number) < low)) break;
      packedHighs[at] = before;
      packedLows[at] = packedLows[at - 1] as number;
      packedSets[at] = packedSets[at - 1] as number;
    }
    packedHighs[at] = high;
    packedLows[at] = low;
    packedSets[at] = sets[i] as number;
  }
  return bytes;
}
