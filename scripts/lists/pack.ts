import { hashOf } from '../../src/domain/lists/hash.ts';
import { FORMAT_VERSION, HEADER_WORDS, MAGIC, SET_COUNT_WORD } from '../../src/domain/lists/table.ts';

const PER_BUCKET = 8;

/**
 * Packs names with their set bits as `table.ts` lays them out. The same names give the same bytes, whatever their order.
 * Throws when two names share a hash.
 */
export function packTable(sets: ReadonlyMap<string, number>): Uint8Array {
  const entries = [...sets].map(([name, bits]) => ({ name, bits, hash: hashOf(name) }));
  entries.sort((a, b) => a.hash[0] - b.hash[0] || a.hash[1] - b.hash[1]);
  const count = entries.length;
  const indexBits = Math.max(1, Math.ceil(Math.log2(count / PER_BUCKET)));
  const starts = 2 ** indexBits + 1;
  const words = HEADER_WORDS + starts + 2 * count;
  const bytes = new Uint8Array(words * 4 + count);
  const view = new DataView(bytes.buffer);
  const setWord = (word: number, value: number): void => view.setUint32(word * 4, value, true);

  [MAGIC, FORMAT_VERSION, count, indexBits].forEach((value, word) => setWord(word, value));
  const counts = Array.from(
    { length: HEADER_WORDS - SET_COUNT_WORD },
    (_, set) => entries.filter(({ bits }) => bits & (1 << set)).length,
  );
  counts.forEach((members, set) => setWord(SET_COUNT_WORD + set, members));

  const below = new Uint32Array(starts);
  entries.forEach(({ name, bits, hash: [high, low] }, i) => {
    const previous = entries[i - 1];
    if (previous?.hash[0] === high && previous.hash[1] === low)
      throw new Error(`${name} and ${previous.name} share a hash`);
    const after = (high >>> (32 - indexBits)) + 1;
    below[after] = (below[after] ?? 0) + 1;
    setWord(HEADER_WORDS + starts + i, high);
    setWord(HEADER_WORDS + starts + count + i, low);
    bytes[words * 4 + i] = bits;
  });
  let start = 0;
  below.forEach((members, bucket) => {
    start += members;
    setWord(HEADER_WORDS + bucket, start);
  });
  return bytes;
}
