import type { HashedNames } from './pack.ts';

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
