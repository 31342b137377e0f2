import { type RandomSource, systemRandom } from '../../../kernel/ids.ts';

/** Gives back the memory of arrays at once, which the next collection of the whole heap, seconds later, would. They are empty then. */
export function release(...arrays: readonly { readonly buffer: ArrayBuffer }[]): void {
  for (const { buffer } of arrays) buffer.transfer(0);
}

/** Byte strings one behind the other, by number. */
export class ByteList {
  size = 0;
  private bytes = new Uint8Array(2 ** 16);
  /** Where each begins; behind the last, where the next will. */
  private starts = new Uint32Array(2 ** 12);

  length(number: number): number {
    return (this.starts[number + 1] ?? 0) - (this.starts[number] ?? 0);
  }

  /** Copies one to where there is room for it. Returns where it ends there. */
  copy(number: number, target: Uint8Array, at: number): number {
    const start = this.starts[number] ?? 0;
    const length = this.length(number);
    for (let i = 0; i < length; i += 1) target[at + i] = this.bytes[start + i] ?? 0;
    return at + length;
  }

  equals(number: number, bytes: Uint8Array, from: number, to: number): boolean {
    if (this.length(number) !== to - from) return false;
    const start = this.starts[number] ?? 0;
    for (let i = from; i < to; i += 1) if (this.bytes[start + i - from] !== bytes[i]) return false;
    return true;
  }

  /** Adds `bytes` from `from` up to `to`. Places instead of views here and below: a view costs more than its bytes. */
  push(bytes: Uint8Array, from: number, to: number): void {
    const start = this.starts[this.size] ?? 0;
    const end = start + to - from;
    if (end > this.bytes.length) this.bytes = new Uint8Array(this.bytes.buffer.transfer(2 * end));
    for (let i = from; i < to; i += 1) this.bytes[start + i - from] = bytes[i] ?? 0;
    this.size += 1;
    if (this.size === this.starts.length) {
      this.starts = new Uint32Array(this.starts.buffer.transfer(2 * this.starts.byteLength));
    }
    this.starts[this.size] = end;
  }

  release(): void {
    release(this.bytes, this.starts);
  }
}

/**
 * Numbers distinct byte strings in the order they come: a Map without a string object for each row, which would cost more
 * than all the reading. Open addressing; the hash has a secret multiplier, so that nobody can send a file of collisions.
 */
export class ByteTable {
  private readonly list = new ByteList();
  private readonly multiplier: number;
  /** Of each number; the room it has is that of the table. */
  private hashes = new Int32Array(2 ** 12);
  /** A number plus one, at its hash or behind it; 0 is empty. At least half are. */
  private slots = new Uint32Array(2 * this.hashes.length);

  constructor(random: RandomSource = systemRandom) {
    const seed = new Uint8Array(4);
    random(seed);
    this.multiplier = new DataView(seed.buffer).getInt32(0) | 1;
  }

  get size(): number {
    return this.list.size;
  }

  /** The number of these bytes, a new one if they were not seen before. */
  number(bytes: Uint8Array, from: number, to: number): number {
    const hash = this.hash(bytes, from, to);
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const taken = this.slots[slot] ?? 0;
      if (taken === 0) {
        this.hashes[this.size] = hash;
        this.list.push(bytes, from, to);
        this.slots[slot] = this.size;
        if (this.size === this.hashes.length) this.grow();
        return this.size - 1;
      }
      if (this.hashes[taken - 1] === hash && this.list.equals(taken - 1, bytes, from, to)) return taken - 1;
    }
  }

  release(): void {
    this.list.release();
    release(this.hashes, this.slots);
  }

  /** A small table is one that the processor's caches hold: it begins so. */
  private grow(): void {
    this.hashes = new Int32Array(this.hashes.buffer.transfer(2 * this.hashes.byteLength));
    release(this.slots);
    this.slots = new Uint32Array(2 * this.hashes.length);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.size; number += 1) {
      let slot = (this.hashes[number] ?? 0) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }

  private hash(bytes: Uint8Array, from: number, to: number): number {
    const { multiplier } = this;
    let hash = multiplier ^ (to - from);
    let i = from;
    for (; i < to - 3; i += 4) {
      const word =
        (bytes[i] ?? 0) | ((bytes[i + 1] ?? 0) << 8) | ((bytes[i + 2] ?? 0) << 16) | ((bytes[i + 3] ?? 0) << 24);
      hash = Math.imul(hash ^ word, multiplier);
      // The low bits choose the slot, and a product's low bits know nothing of the high ones.
      hash ^= hash >>> 15;
    }
    for (; i < to; i += 1) {
      hash = Math.imul(hash ^ (bytes[i] ?? 0), multiplier);
      hash ^= hash >>> 15;
    }
    return hash;
  }
}
