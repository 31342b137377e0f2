import { systemRandom } from '../../../kernel/ids.ts';
import { release } from './byte-list.ts';
import { HalfSipHash } from './half-sip-hash.ts';

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
