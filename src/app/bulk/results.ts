import { RANGE_ADDRESSES } from '../../domain/bulk/csv/address-file.ts';
import { type CellSource, ResultComposer } from '../../domain/bulk/csv/compose.ts';
import { decodeRowIndex, SKIPPED_ROW } from '../../domain/bulk/csv/row-index.ts';
import { resultsKey, rowIndexKey, type StoredUpload, uploadKey } from '../../domain/bulk/files.ts';
import type { Job } from '../../domain/bulk/job.ts';
import type { ResultPart } from '../../domain/bulk/port.ts';
import { headerCells, rowCells } from '../../domain/bulk/results/cells.ts';
import { RangeResults, type RowResult } from '../../domain/bulk/results/row-result.ts';
import { type Blobs, readBytes } from '../../platform/blob.ts';

/** R2 reads in flight: no more wait for an answer at once. */
const READS_AT_ONCE = 6;

export type ResultOf = (number: number) => RowResult | null;

/** What came of each unique address: 40 bytes each are held. */
export async function readResults(
  blobs: Pick<Blobs, 'get'>,
  prefix: string,
  job: Job,
  parts: readonly ResultPart[],
): Promise<ResultOf> {
  const byRange = new Map<number, { readonly part: ResultPart; readonly results: RangeResults }[]>();
  let next = 0;
  const readOn = async (): Promise<void> => {
    for (let part = parts[next]; part !== undefined; part = parts[next]) {
      next += 1;
      const results = RangeResults.open(await readBytes(blobs, resultsKey(prefix, part.from, part.lease)));
      if (results === null) throw new Error('a range has results of another version');
      const range = Math.floor(part.from / RANGE_ADDRESSES);
      byRange.set(range, [...(byRange.get(range) ?? []), { part, results }]);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readOn));
  // A job that is done got to every row: those of a range that was given up have no result.
  const missing: RowResult | null = job.state === 'done' ? { status: 'error' } : null;
  return (number) => {
    const found = byRange
      .get(Math.floor(number / RANGE_ADDRESSES))
      ?.find(({ part }) => part.from <= number && number < part.to);
    return found === undefined ? missing : found.results.at(number - found.part.from);
  };
}

/** The upload with its new cells, as it is read: never more of it is held than a block. */
export async function resultStream(
  blobs: Pick<Blobs, 'get'>,
  prefix: string,
  { attempt, reading }: StoredUpload,
  job: Job,
  resultOf: ResultOf,
  includes: ((result: RowResult | null) => boolean) | null,
): Promise<ReadableStream<Uint8Array>> {
  const index = decodeRowIndex(await readBytes(blobs, rowIndexKey(prefix, reading)));
  const stored = await blobs.get(uploadKey(prefix, attempt));
  if (index === null || stored === null || job.file === null) throw new Error('a stored file is missing');
  const hasPolicy = job.policySlug !== null;
  const known = (number: number): RowResult | null => (number === SKIPPED_ROW ? null : resultOf(number));
  const source: CellSource = {
    header: headerCells(hasPolicy),
    cells: (number) => rowCells(number, known(number), hasPolicy),
    includes: includes === null ? null : (number) => includes(known(number)),
  };
  const composer = new ResultComposer(job.file.reading.dialect, index, source);
  const reader = (stored.body as ReadableStream<Uint8Array>).getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A block may give nothing out (a segment leaves it all aside); a pull that gives nothing is not repeated.
        for (let given = 0; given === 0; ) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          for (const chunk of composer.write(value)) {
            controller.enqueue(chunk);
            given += 1;
          }
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
