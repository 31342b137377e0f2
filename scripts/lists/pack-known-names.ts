import { BUCKETS, KNOWN_NAMES_FORM, openKnownNames, placeOf } from '../../src/domain/screening/names/known-names.ts';

/** Packs names as `known-names.ts` reads them. The same names give the same bytes, whatever their order. */
export function packKnownNames(names: Iterable<string>): Uint8Array {
  const kept = new Set(names);
  const buckets = Array.from({ length: BUCKETS }, () => new Set<number>());
  for (const name of kept) {
    const [bucket, mark] = placeOf(name);
    buckets[bucket]?.add(mark);
  }
  const marks = buckets.flatMap((bucket) => [...bucket].sort((a, b) => a - b));
  const head = Buffer.from(`${KNOWN_NAMES_FORM}\n`);
  const bytes = Buffer.alloc(head.length + 2 * (BUCKETS + marks.length));
  bytes.set(head);
  let end = 0;
  buckets.forEach((bucket, i) => {
    end += bucket.size;
    bytes.writeUInt16LE(end, head.length + 2 * i);
  });
  marks.forEach((mark, i) => bytes.writeUInt16LE(mark, head.length + 2 * (BUCKETS + i)));
  const isKnown = openKnownNames(bytes);
  for (const name of kept) if (!isKnown(name)) throw new Error(`${name} does not read back from the packed names`);
  return bytes;
}
