import type { BulkPreview } from '../../contract/bulk.ts';
import { ROUTES } from '../../contract/routes.ts';
import { SAMPLE_BYTES, firstRows } from '../../domain/bulk/csv/detect.ts';
import { decodeRowIndex, SKIPPED_ROW } from '../../domain/bulk/csv/address-file.ts';
import { addressesKey, jobPrefix, rowIndexKey, uploadKey } from '../../domain/bulk/job-record.ts';
import { standingOf } from '../../domain/bulk/present.ts';
import { previewResult } from '../../domain/bulk/results/segments.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { type Blobs, openFile, readDecoded } from '../../storage/r2.ts';
import { verb } from '../verb.ts';
import { requireJob } from './job-steps.ts';
import { GONE } from './refusals.ts';
import { readCorrections, readResults } from './results.ts';

/** The first rows of a job's file, as they stand there, with what is known of each. */
export const previewJob = verb({
  route: ROUTES.bulkPreview,
  run: async (context, { params, query: { limit } }): Promise<BulkPreview> => {
    const { deps, organisationId } = context;
    const { blobs } = deps;
    const { job, upload } = await requireJob(context, params.id);
    if (job.filesDeletedAt !== null) throw GONE;
    if (job.file === null || upload === null)
      throw new DomainError('conflict', `The job has no file. ${standingOf(job)}`);
    const prefix = jobPrefix(organisationId, job.id);
    const index = await readDecoded(blobs, rowIndexKey(prefix, upload.reading), decodeRowIndex);
    const head = await readHead(blobs, uploadKey(prefix, upload.attempt));
    const { header, rows } = firstRows(head, index, job.file.reading.dialect, limit);
    const wanted = rows.map(({ number }) => number).filter((number) => number !== SKIPPED_ROW);
    const results =
      job.startedAt === null
        ? null
        : await readResults(blobs, prefix, job, async () => {
            const places = await askObject(deps.objects, organisationId).listResults({ id: job.id });
            return places.filter(({ from, to }) => wanted.some((number) => number >= from && number < to));
          });
    const isTypo = (number: number): boolean => {
      const kind = results?.of(number)?.kind;
      return kind?.status === 'ok' && kind.meantDomain !== null;
    };
    const slips = [...new Set(wanted)].filter(isTypo).toSorted((one, other) => one - other);
    const { unique } = job.file;
    const corrections =
      results === null
        ? null
        : await readCorrections(blobs, addressesKey(prefix, upload.reading), unique, slips, results);
    return {
      columns: header === null ? null : [...header],
      rows: rows.map(({ cells, number }) => ({
        cells: [...cells],
        result: previewResult(
          number === SKIPPED_ROW ? 'skipped' : (results?.of(number) ?? null),
          corrections?.get(number) ?? null,
        ),
      })),
    };
  },
});

async function readHead(blobs: Blobs, key: string): Promise<Uint8Array> {
  const blocks = await openFile(blobs, key);
  const head = new Uint8Array(SAMPLE_BYTES);
  let filled = 0;
  for await (const block of blocks) {
    const taken = block.subarray(0, head.length - filled);
    head.set(taken, filled);
    filled += taken.length;
    if (filled === head.length) break;
  }
  return head.subarray(0, filled);
}
