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
