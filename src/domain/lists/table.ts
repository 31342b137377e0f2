/**
 * A 64-bit string hash, from the last character to the first: the state after each dot is the hash of that parent
 * domain, so one pass hashes a domain and all its parents. Two 32-bit lanes (odd multipliers of xxHash32; one rotates,
 * so that both don't lose the same bits), finished with MurmurHash3's mixer. The packed files depend on it, which a
 * test vector checks.
 */
export const HIGH_SEED = 0x9e3779b9;
export const LOW_SEED = 0x165667b1;

/** The lanes after one more UTF-16 code unit, as signed 32-bit integers. */
export const nextHigh = (lane: number, code: number): number => Math.imul(lane ^ code, 0x85ebca77);
export const nextLow = (lane: number, code: number): number =>
  Math.imul(((lane << 13) | (lane >>> 19)) ^ code, 0xc2b2ae3d);

/** Unsigned 32 bits from both lanes: `finish(high, low)` is the hash's upper half, `finish(low, high)` the lower. */
export function mixLanes(lane: number, other: number): number {
  let h = lane ^ (other >>> 15);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

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
const MAGIC = 0x31534c45; // "ELS1"
const FORMAT_VERSION = 1;
const HEADER_WORDS = 12;
const SET_COUNT_WORD = 4;

export interface Table {
  readonly count: number;
  /** Entries of each set, by bit number. */
  readonly setCounts: readonly number[];
  /** The set bits of this hash's entry; 0 for an unknown hash. */
  find(high: number, low: number): number;
}

/** Views a packed table without copying or parsing. Throws on anything but a whole table of this version. */
export function openTable(data: ArrayBuffer | Uint8Array): Table {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  // Node may place a file anywhere in a shared buffer; words must start at a multiple of four.
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

const PER_BUCKET = 8;

/** Distinct hashed names with their set bits, in order of arrival. */
export interface HashedNames {
  readonly count: number;
  readonly highs: Uint32Array;
  readonly lows: Uint32Array;
  readonly sets: Uint8Array;
}

/**
 * Packs hashed names as `table.ts` describes: counted into buckets, then sorted inside each. The order of names does
 * not change the bytes.
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
 * Hashes with a byte of bits each, in order of arrival: 17 bytes a name, where a map of strings takes over a hundred.
 * Open addressing; a slot holds a name's place plus one, or 0.
 */
export class HashTable {
  private highs = new Uint32Array(FIRST_CAPACITY);
  private lows = new Uint32Array(FIRST_CAPACITY);
  private bits = new Uint8Array(FIRST_CAPACITY);
  private slots = new Uint32Array(2 * FIRST_CAPACITY);
  private used = 0;

  /** Valid until the next insertion. */
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
