import { parseRange, RANGE_ADDRESSES, rangeEntry, rangePlace, rangesOf } from '../../domain/bulk/csv/address-file.ts';
import { type Blobs, readBytes } from '../../platform/blob.ts';

type Bucket = Pick<Blobs, 'get'>;

const UTF8 = new TextDecoder();

/** The addresses of one range of the grid. */
export async function readRange(blobs: Bucket, key: string, range: number): Promise<string[]> {
  const place = rangePlace(await readBytes(blobs, key, rangeEntry(range)));
  return parseRange(UTF8.decode(await readBytes(blobs, key, place)));
}

/** Read at a time: a file of longest addresses has 30 MB. */
const WINDOW_BYTES = 4 * 2 ** 20;

/** Those of a job's addresses that have one of these numbers, ascending. */
export async function readAddresses(
  blobs: Bucket,
  key: string,
  unique: number,
  numbers: readonly number[],
): Promise<string[]> {
  if (numbers.length === 0) return [];
  const ranges = rangesOf(unique);
  const table = new Uint32Array(await readBytes(blobs, key, { offset: 0, length: 4 * (ranges + 1) }));
  const startOf = (range: number): number => table[range] ?? 0;
  const found: string[] = [];
  let next = 0;
  for (let first = 0; first < ranges && next < numbers.length; ) {
    let last = first + 1;
    while (last < ranges && startOf(last + 1) - startOf(first) <= WINDOW_BYTES) last += 1;
    const window = new Uint8Array(
      await readBytes(blobs, key, { offset: startOf(first), length: startOf(last) - startOf(first) }),
    );
    for (let range = first; range < last && next < numbers.length; range += 1) {
      const end = (range + 1) * RANGE_ADDRESSES;
      if ((numbers[next] ?? 0) >= end) continue;
      const bytes = window.subarray(startOf(range) - startOf(first), startOf(range + 1) - startOf(first));
      const addresses = parseRange(UTF8.decode(bytes));
      for (; (numbers[next] ?? end) < end; next += 1) {
        found.push(addresses[(numbers[next] ?? 0) - range * RANGE_ADDRESSES] ?? '');
      }
    }
    first = last;
  }
  return found;
}
