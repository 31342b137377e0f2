import { hashOf } from '../../lists/hash.ts';

/** The first line of the table, which names its form. */
export const KNOWN_NAMES_FORM = 'known names 1';

/** Bits of a name's hash that number its bucket. The next sixteen stand in it: one other word in seven thousand passes for a name. */
const BUCKET_BITS = 12;
export const BUCKETS = 2 ** BUCKET_BITS;

/** Whether ASCII letters are a name. */
export type NameTest = (word: string) => boolean;

export interface KnownNames {
  /** A common given name, formal or short: more letters than the name has are this one. */
  readonly isGivenName: NameTest;
  /** A given or family name that people bear. */
  readonly isBorne: NameTest;
}

/** A name's bucket, and what stands for the name there. */
export function placeOf(name: string): readonly [bucket: number, mark: number] {
  const [high, low] = hashOf(name);
  return [high >>> (32 - BUCKET_BITS), low >>> 16];
}

/**
 * `data`: the packed table, `data/known-names.bin`: its form, a line break, where each bucket ends, and the marks, bucket by bucket;
 * all 16 bits wide, little-endian. Read in place.
 */
export function openKnownNames(data: ArrayBuffer | Uint8Array): NameTest {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const head = `${KNOWN_NAMES_FORM}\n`;
  if (new TextDecoder().decode(bytes.subarray(0, head.length)) !== head)
    throw new Error(`${KNOWN_NAMES_FORM}: not a table of this form`);
  const words = new DataView(bytes.buffer, bytes.byteOffset + head.length, bytes.byteLength - head.length);
  const at = (word: number): number => words.getUint16(2 * word, true);
  if (words.byteLength !== 2 * (BUCKETS + at(BUCKETS - 1))) throw new Error(`${KNOWN_NAMES_FORM}: wrong length`);
  return (name) => {
    const [bucket, mark] = placeOf(name);
    const end = at(bucket);
    for (let i = bucket === 0 ? 0 : at(bucket - 1); i < end; i += 1) if (at(BUCKETS + i) === mark) return true;
    return false;
  };
}
