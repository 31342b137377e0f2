import QuickLRU from 'quick-lru';
import {
  parseChunk,
  parseTable,
  CHUNK_ADDRESSES,
  chunkPlace,
  chunksOf,
  tablePlace,
} from '../../domain/bulk/csv/address-file.ts';
import { type Blobs, decoded, readBytes } from '../../storage/r2.ts';

type Bucket = Pick<Blobs, 'get'>;

const UTF8 = new TextDecoder();

/** Tables of files in work, by key. A file under a key never changes, and each of a job's thousand chunks needs its table. */
export interface AddressTables {
  get(key: string): Uint32Array | undefined;
  set(key: string, table: Uint32Array): unknown;
}

/** 4 KB each. */
const TABLES_KEPT = 20;
export const createAddressTables = (): AddressTables => new QuickLRU<string, Uint32Array>({ maxSize: TABLES_KEPT });

/** The addresses of one chunk of the grid. `unique`: how many the file has. */
export async function readChunk(
  blobs: Bucket,
  tables: AddressTables,
  key: string,
  unique: number,
  chunk: number,
): Promise<string[]> {
  const table = tables.get(key) ?? decoded(await readBytes(blobs, key, tablePlace(unique)), parseTable);
  tables.set(key, table);
  return decoded(await readBytes(blobs, key, chunkPlace(table, chunk)), (bytes) => parseChunk(UTF8.decode(bytes)));
}

/** Bytes read at a time: a file of the longest addresses has 30 MB. */
const WINDOW_BYTES = 4 * 2 ** 20;

/** The addresses of these numbers, which ascend. */
export async function readAddresses(
  blobs: Bucket,
  key: string,
  unique: number,
  numbers: readonly number[],
): Promise<string[]> {
  if (numbers.length === 0) return [];
  // A window ends with the last chunk that is asked for: a preview asks for the first alone.
  const chunks = Math.min(chunksOf(unique), Math.floor((numbers.at(-1) ?? 0) / CHUNK_ADDRESSES) + 1);
  const table = decoded(await readBytes(blobs, key, tablePlace(unique)), parseTable);
  const startOf = (chunk: number): number => table[chunk] ?? 0;
  const found: string[] = [];
  let next = 0;
  for (let first = 0; first < chunks && next < numbers.length;) {
    let last = first + 1;
    while (last < chunks && startOf(last + 1) - startOf(first) <= WINDOW_BYTES) last += 1;
    const window = new Uint8Array(
      await readBytes(blobs, key, { offset: startOf(first), length: startOf(last) - startOf(first) }),
    );
    for (let chunk = first; chunk < last && next < numbers.length; chunk += 1) {
      const end = (chunk + 1) * CHUNK_ADDRESSES;
      if ((numbers[next] ?? 0) >= end) continue;
      const bytes = window.subarray(startOf(chunk) - startOf(first), startOf(chunk + 1) - startOf(first));
      const addresses = decoded(bytes, (stored) => parseChunk(UTF8.decode(stored)));
      for (; (numbers[next] ?? end) < end; next += 1) {
        found.push(addresses[(numbers[next] ?? 0) - chunk * CHUNK_ADDRESSES] ?? '');
      }
    }
    first = last;
  }
  return found;
}
