import QuickLRU from 'quick-lru';
import {
  parseChunk,
  parseTable,
  CHUNK_ADDRESSES,
  chunkPlace,
  chunksOf,
  tablePlace,
  SKIPPED_ROW,
  decodeRowIndex,
} from '../../domain/bulk/csv/address-file.ts';
import { type NewColumns, ResultComposer } from '../../domain/bulk/csv/compose.ts';
import {
  type ResultPart,
  type StoredUpload,
  addressesKey,
  mergedKey,
  resultsKey,
  rowIndexKey,
  uploadKey,
} from '../../domain/bulk/job-record.ts';
import type { Job } from '../../domain/bulk/job.ts';
import { type Part, cellsMaker, decodeMerged, encodeMerged, headerCells } from '../../domain/bulk/results/segments.ts';
import {
  ERROR_ROW,
  ChunkResults,
  type RowKind,
  RowKinds,
  type RowResult,
} from '../../domain/bulk/results/row-result.ts';
import { correctionOf } from '../../domain/screening/typed-address.ts';
import { describeError, log } from '../../kernel/log.ts';
import { type Blobs, decoded, readBytes, openFile, readDecoded } from '../../storage/r2.ts';

type Bucket = Pick<Blobs, 'get'>;

const UTF8 = new TextDecoder();

/** Tables of files in use, by key. A stored file never changes, and each of a job's thousand chunks needs its table. */
export interface AddressTables {
  get(key: string): Uint32Array | undefined;
  set(key: string, table: Uint32Array): unknown;
}

/** 4 KB each. */
const TABLES_KEPT = 20;
export const createAddressTables = (): AddressTables => new QuickLRU<string, Uint32Array>({ maxSize: TABLES_KEPT });

/** The addresses of one chunk of the grid. `unique`: the number in the file. */
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

/** The addresses of these ascending numbers. */
export async function readAddresses(
  blobs: Bucket,
  key: string,
  unique: number,
  numbers: readonly number[],
): Promise<string[]> {
  if (numbers.length === 0) return [];
  // A window ends with the last requested chunk: a preview asks only for the first.
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

/** R2 reads in flight: an invocation's limit of waiting connections. */
const READS_AT_ONCE = 6;

/** A job's results by address number. */
interface Results {
  of(number: number): RowResult | null;
  /** Indices of addresses whose domain is a typo, ascending. */
  slips(): number[];
}

async function readParts(blobs: Bucket, prefix: string, places: readonly ResultPart[]): Promise<Part[]> {
  const parts: Part[] = [];
  let next = 0;
  const readOn = async (): Promise<void> => {
    for (let place = places[next]; place !== undefined; place = places[next]) {
      next += 1;
      const { from, lease } = place;
      parts.push({ from, bytes: new Uint8Array(await readBytes(blobs, resultsKey(prefix, from, lease))) });
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
  return parts.sort((a, b) => a.from - b.from);
}

/** Merges a finished job's results into one file, which downloads look for first. */
export async function mergeResults(
  blobs: Pick<Blobs, 'get' | 'put'>,
  prefix: string,
  places: readonly ResultPart[],
): Promise<void> {
  await blobs.put(mergedKey(prefix), encodeMerged(await readParts(blobs, prefix, places)));
}

async function readMerged(blobs: Bucket, prefix: string): Promise<Part[] | null> {
  const stored = await blobs.get(mergedKey(prefix));
  if (stored === null) return null;
  return decoded(await stored.arrayBuffer(), (bytes) => ({ parts: decodeMerged(new Uint8Array(bytes)) })).parts;
}

/** The results of all unique addresses, in 48 bytes each. `places`: their files before they are merged. */
export async function readResults(
  blobs: Bucket,
  prefix: string,
  job: Job,
  places: () => Promise<readonly ResultPart[]>,
): Promise<Results> {
  const merged = job.state === 'done' ? await readMerged(blobs, prefix) : null;
  const parts = merged ?? (await readParts(blobs, prefix, await places()));
  const kinds = new RowKinds();
  const byChunk = new Map<number, { readonly from: number; readonly results: ChunkResults }[]>();
  for (const { from, bytes } of parts) {
    const results = decoded(bytes, (stored) => ChunkResults.open(stored, kinds));
    const chunk = Math.floor(from / CHUNK_ADDRESSES);
    byChunk.set(chunk, [{ from, results }, ...(byChunk.get(chunk) ?? [])]);
  }
  // A finished job reached each row: only rows of a failed chunk have no result.
  const missing: RowResult | null = job.state === 'done' ? ERROR_ROW : null;
  return {
    of: (number) => {
      const found = byChunk.get(Math.floor(number / CHUNK_ADDRESSES))?.find(({ from }) => from <= number);
      return found?.results.at(number - found.from) ?? missing;
    },
    slips: () =>
      [...byChunk.values()]
        .flatMap((held) => held.flatMap(({ from, results }) => results.slips().map((place) => from + place)))
        .sort((a, b) => a - b),
  };
}

/** Addresses read at once: in a file of typos alone the longest would have 32 MB. */
const TYPOS_AT_ONCE = 10_000;

/** The corrected addresses of these numbers, recomputed from the uploaded file: results don't contain them. */
export async function readCorrections(
  blobs: Bucket,
  key: string,
  unique: number,
  numbers: readonly number[],
  results: Results,
): Promise<ReadonlyMap<number, string>> {
  const corrections = new Map<number, string>();
  for (let first = 0; first < numbers.length; first += TYPOS_AT_ONCE) {
    const some = numbers.slice(first, first + TYPOS_AT_ONCE);
    const emails = await readAddresses(blobs, key, unique, some);
    for (const [place, number] of some.entries()) {
      const kind = results.of(number)?.kind;
      const meantDomain = kind?.status === 'ok' ? kind.meantDomain : null;
      const didYouMean = correctionOf(emails[place] ?? '', meantDomain);
      if (didYouMean !== null) corrections.set(number, didYouMean);
    }
  }
  return corrections;
}

/** Streams the upload with its new cells, one block in memory at a time. */
export async function resultStream(
  blobs: Bucket,
  prefix: string,
  { attempt, reading }: StoredUpload,
  job: Job,
  results: Results,
  includes: ((row: RowKind | null) => boolean) | null,
): Promise<ReadableStream<Uint8Array>> {
  if (job.file === null) throw new Error('a job without a file has no results');
  const index = await readDecoded(blobs, rowIndexKey(prefix, reading), decodeRowIndex);
  const { unique, charset, reading: layout } = job.file;
  const hasPolicy = job.policySlug !== null;
  const known = (number: number): RowResult | null => (number === SKIPPED_ROW ? null : results.of(number));
  const isWanted = (number: number): boolean => includes === null || includes(known(number)?.kind ?? null);
  const slips = results.slips().filter(isWanted);
  const corrections = await readCorrections(blobs, addressesKey(prefix, reading), unique, slips, results);
  const cells = cellsMaker(hasPolicy, corrections);
  const upload = await openFile(blobs, uploadKey(prefix, attempt));
  const source: NewColumns = {
    header: headerCells(hasPolicy),
    cells: (number) => cells(number, known(number)),
    includes: includes === null ? null : isWanted,
  };
  const composer = new ResultComposer(layout.dialect, charset, index, source);
  const { readable, writable } = new IdentityTransformStream();
  void give(job.id, upload, composer, writable.getWriter());
  return readable;
}

/**
 * Chunks share one buffer: each is consumed before the next is composed. Stops when the reader leaves; the stream fails
 * if the file can't be read to its end.
 */
async function give(
  jobId: string,
  blocks: AsyncIterable<Uint8Array>,
  composer: ResultComposer,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  const isTaken = (chunk: Uint8Array): Promise<boolean> =>
    writer.write(chunk).then(
      () => true,
      () => false,
    );
  try {
    for await (const block of blocks) {
      for (const chunk of composer.write(block)) if (!(await isTaken(chunk))) return;
    }
    const rest = composer.end();
    if (rest.length > 0 && !(await isTaken(rest))) return;
    await writer.close();
  } catch (error) {
    log('warn', 'download_broken', { job_id: jobId, ...describeError(error) });
    await writer.abort(error).catch(() => undefined);
  }
}
