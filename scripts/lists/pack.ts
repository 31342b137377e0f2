import { hashOf, packTable } from '../../src/domain/lists/table.ts';

/** Packs names with their set bits. Throws when two names share a hash. */
export function packNames(sets: ReadonlyMap<string, number>): Uint8Array {
  const highs = new Uint32Array(sets.size);
  const lows = new Uint32Array(sets.size);
  const names = new Map<string, string>();
  let count = 0;
  for (const name of sets.keys()) {
    const hash = hashOf(name);
    const other = names.get(hash.join());
    if (other !== undefined) throw new Error(`${name} and ${other} share a hash`);
    names.set(hash.join(), name);
    [highs[count], lows[count]] = hash;
    count += 1;
  }
  return packTable({ count, highs, lows, sets: Uint8Array.from(sets.values()) });
}
