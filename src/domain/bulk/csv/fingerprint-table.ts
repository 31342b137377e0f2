import { systemRandom } from '../../../kernel/ids.ts';
import { release } from './address-file.ts';

const COMPRESSION_ROUNDS = 2;
const FINALIZATION_ROUNDS = 4;

/**
 * HalfSipHash-2-4 with 64 bits of output (Aumasson and Bernstein): SipHash on words of 32 bits, because JavaScript's
 * wider integers are slow. Colliding texts can't be made without its key.
 */
export class HalfSipHash {
  static readonly keyBytes = 8;
  /** The two words of the newest hash, as signed integers. */
  low = 0;
  high = 0;
  private readonly k0: number;
  private readonly k1: number;
  private v0 = 0;
  private v1 = 0;
  private v2 = 0;
  private v3 = 0;

  constructor(key: Uint8Array<ArrayBuffer>) {
    const view = new DataView(key.buffer, key.byteOffset, HalfSipHash.keyBytes);
    this.k0 = view.getInt32(0, true);
    this.k1 = view.getInt32(4, true);
  }

  /** Hashes `bytes` from `from` up to `to`. */
  digest(bytes: Uint8Array, from: number, to: number): void {
    this.v0 = this.k0;
    this.v1 = this.k1 ^ 0xee;
    this.v2 = this.k0 ^ 0x6c796765;
    this.v3 = this.k1 ^ 0x74656462;
    let i = from;
    for (; i + 4 <= to; i += 4) {
      this.take(
        (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24),
      );
    }
    let last = (to - from) << 24;
    for (let shift = 0; i < to; i += 1, shift += 8) last |= (bytes[i] ?? 0) << shift;
    this.take(last);
    this.v2 ^= 0xee;
    this.rounds(FINALIZATION_ROUNDS);
    this.low = this.v1 ^ this.v3;
    this.v1 ^= 0xdd;
    this.rounds(FINALIZATION_ROUNDS);
    this.high = this.v1 ^ this.v3;
  }

  private take(word: number): void {
    this.v3 ^= word;
    this.rounds(COMPRESSION_ROUNDS);
    this.v0 ^= word;
  }

  private rounds(count: number): void {
    let { v0, v1, v2, v3 } = this;
    for (let i = 0; i < count; i += 1) {
      v0 = (v0 + v1) | 0;
      v1 = rotated(v1, 5) ^ v0;
      v0 = rotated(v0, 16);
      v2 = (v2 + v3) | 0;
      v3 = rotated(v3, 8) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = rotated(v3, 7) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = rotated(v1, 13) ^ v2;
      v2 = rotated(v2, 16);
    }
    this.v0 = v0;
    this.v1 = v1;
    this.v2 = v2;
    this.v3 = v3;
  }
}

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/**
 * Numbers distinct byte strings in order of arrival and keeps 64 bits of each: a string object for each row would cost
 * more than reading the file. Two of 100,000 strings collide in one file of four billion. The key is secret and belongs
 * to this table, so that a caller can't send a file of collisions.
 */
export class FingerprintTable {
  size = 0;
  private readonly hash: HalfSipHash;
  /** The hash of each number. Their length is the table's capacity. */
  private lows = new Int32Array(2 ** 12);
  private highs = new Int32Array(2 ** 12);
  /** A number plus one, at its hash or the next free slot; 0 is empty. At least half are empty. */
  private slots = new Uint32Array(2 ** 13);

  constructor() {
    const key = new Uint8Array(HalfSipHash.keyBytes);
    systemRandom(key);
    this.hash = new HalfSipHash(key);
  }

  /**
   * The number of these bytes, a new one if they are new. Takes offsets because a view would cost more than its bytes.
   */
  number(bytes: Uint8Array, from: number, to: number): number {
    this.hash.digest(bytes, from, to);
    const { low, high } = this.hash;
    const mask = this.slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const taken = (this.slots[slot] ?? 0) - 1;
      if (taken === -1) return this.add(slot, low, high);
      if (this.lows[taken] === low && this.highs[taken] === high) return taken;
    }
  }

  release(): void {
    release(this.lows, this.highs, this.slots);
  }

  private add(slot: number, low: number, high: number): number {
    this.lows[this.size] = low;
    this.highs[this.size] = high;
    this.size += 1;
    this.slots[slot] = this.size;
    if (this.size === this.lows.length) this.grow();
    return this.size - 1;
  }

  /** The table begins small, so that the processor's caches can hold it. */
  private grow(): void {
    this.lows = new Int32Array(this.lows.buffer.transfer(2 * this.lows.byteLength));
    this.highs = new Int32Array(this.highs.buffer.transfer(2 * this.highs.byteLength));
    release(this.slots);
    this.slots = new Uint32Array(2 * this.lows.length);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.size; number += 1) {
      let slot = (this.lows[number] ?? 0) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }
}
