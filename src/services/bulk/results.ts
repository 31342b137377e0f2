import type { BulkPreview } from '../../contract/bulk.ts';
import { ROUTES } from '../../contract/routes.ts';
import { decodeRowIndex, SKIPPED_ROW } from '../../domain/bulk/csv/address-file.ts';
import { SAMPLE_BYTES, firstRows } from '../../domain/bulk/csv/detect.ts';
import { jobPrefix, addressesKey, rowIndexKey, uploadKey } from '../../domain/bulk/job-record.ts';
import { resultsOf } from '../../domain/bulk/job.ts';
import { standingOf, attachment } from '../../domain/bulk/present.ts';
import { segment, previewResult, segmentsOf, blockableOf, canBeRule } from '../../domain/bulk/results/segments.ts';
import { RULES_MAX } from '../../domain/rules/rules.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { type Blobs, openFile, readDecoded } from '../../storage/r2.ts';
import { addEntries, readEmails } from '../rules.ts';
import { type Context, verb } from '../verb.ts';
import { requireJob, GONE, notYet } from './jobs.ts';
import { readResults, readCorrections, resultStream, readAddresses } from './stored-files.ts';

const ALL = 'all';

/** A job's results, and the test for a segment's rows (null: all). Throws a refusal while the job has no results. */
async function openSegment(
  context: Context,
  id: string,
  name: string,
  namesOf: (hasPolicy: boolean) => readonly string[],
) {
  const record = await requireJob(context, id);
  const { job, upload: stored } = record;
  const hasPolicy = job.policySlug !== null;
  const names = namesOf(hasPolicy);
  if (!names.includes(name)) {
    const policy = hasPolicy ? 'a policy' : 'no policy';
    const shown = names.map((each) => `\`${each}\``).join(', ');
    throw new DomainError('invalid_request', `The job has ${policy}, so \`segment\` must be one of ${shown}.`);
  }
  const includes = name === ALL ? null : segment(name, hasPolicy);
  const standing = resultsOf(job);
  if (standing === 'gone') throw GONE;
  if (standing === 'not_yet' || stored === null) throw notYet(job);
  const { deps, organisationId } = context;
  const prefix = jobPrefix(organisationId, job.id);
  const places = () => askObject(deps.objects, organisationId).listResults({ id: job.id });
  return { job, stored, includes, prefix, results: await readResults(deps.blobs, prefix, job, places) };
}

/** The first rows of a job's file as they are, with their results. */
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

const downloadableOf = (hasPolicy: boolean): readonly string[] => [ALL, ...Object.keys(segmentsOf(hasPolicy))];

/** Streams the customer's file with the results beside each row. */
export const downloadResults = verb({
  route: ROUTES.bulkResults,
  run: async (context, { params, query: { segment: name } }) => {
    const { job, stored, includes, prefix, results } = await openSegment(context, params.id, name, downloadableOf);
    return {
      stream: await resultStream(context.deps.blobs, prefix, stored, job, results, includes),
      disposition: attachment(job.name, name),
      charset: job.file?.charset ?? null,
    };
  },
});

/** Adds all of a segment's addresses to the blocklist or, over the cap, none. */
export const blockSegment = verb({
  route: ROUTES.blockBulkSegment,
  run: async (context, { params, body: { segment: name, note } }) => {
    const { job, stored, includes, prefix, results } = await openSegment(context, params.id, name, blockableOf);
    const unique = job.file?.unique ?? 0;
    const numbers = Array.from({ length: unique }, (_, number) => number).filter((number) => {
      const kind = results.of(number)?.kind ?? null;
      return canBeRule(kind) && includes?.(kind);
    });
    if (numbers.length > RULES_MAX) {
      throw new DomainError('invalid_request', `An account has up to ${RULES_MAX} address rules: none was added.`);
    }
    const key = addressesKey(prefix, stored.reading);
    const emails = await readAddresses(context.deps.blobs, key, unique, numbers);
    const list = { kind: 'address', rule: 'block' } as const;
    const { rejected: _, ...added } = await addEntries(context, list, readEmails(context, emails), note, job.id);
    const isDomainBlocked = (number: number): boolean => {
      const kind = results.of(number)?.kind;
      return kind?.status === 'ok' && kind.reason === 'domain_blocklisted';
    };
    return { ...added, domain_blocked: numbers.filter(isDomainBlocked).length };
  },
});
