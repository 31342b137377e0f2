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

const FIRST_CAPACITY = 1_024;

/**
 * Hashes with a byte of bits each, in the order they came: 17 bytes a name, where a map of strings takes more than a hundred.
 * Open addressing; the slots hold the place of a name plus one, 0 where there is none.
 */
export class HashTable {
  private highs = new Uint32Array(FIRST_CAPACITY);
  private lows = new Uint32Array(FIRST_CAPACITY);
  private bits = new Uint8Array(FIRST_CAPACITY);
  private slots = new Uint32Array(2 * FIRST_CAPACITY);
  private used = 0;

  /** The names as they are now; valid until the next one is put in. */
  get names(): HashedNames {
    return { count: this.used, highs: this.highs, lows: this.lows, sets: this.bits };
  }

  /** 0: no such name. */
  get(high: number, low: number): number {
    const place = this.slots[this.slotOf(high, low)] as number;
    return place === 0 ? 0 : (this.bits[place - 1] as number);
  }

  set(high: number, low: number, bits: number): void {
    const slot = this.slotOf(high, low);
    const place = this.slots[slot] as number;
    if (place !== 0) {
      this.bits[place - 1] = bits;
      return;
    }
    this.highs[this.used] = high;
    this.lows[this.used] = low;
    this.bits[this.used] = bits;
    this.used += 1;
    this.slots[slot] = this.used;
    if (this.used === this.highs.length) this.grow();
  }

  private slotOf(high: number, low: number): number {
    const mask = this.slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const place = this.slots[slot] as number;
      if (place === 0 || (this.highs[place - 1] === high && this.lows[place - 1] === low)) return slot;
    }
  }

  private grow(): void {
    const capacity = 2 * this.highs.length;
    const { highs, lows, bits } = this;
    this.highs = new Uint32Array(capacity);
    this.lows = new Uint32Array(capacity);
    this.bits = new Uint8Array(capacity);
    this.highs.set(highs);
    this.lows.set(lows);
    this.bits.set(bits);
    this.slots = new Uint32Array(2 * capacity);
    for (let i = 0; i < this.used; i += 1) this.slots[this.slotOf(highs[i] as number, lows[i] as number)] = i + 1;
  }
}
