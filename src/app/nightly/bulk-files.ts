import { organisationPrefix } from '../../domain/bulk/files.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import { type Id, idTimeMs, parseId } from '../../kernel/ids.ts';
import { type Blobs, deletePrefix } from '../../platform/blob.ts';

/** The object's timer deletes a job's files at 7 days; what it has missed by this much later is left over. */
const LEFT_OVER_MS = 7 * DAY_MS + HOUR_MS;
/** Jobs cleared in one go. The oldest come first. */
const JOBS_MAX = 200;

/** Deletes files of the organisation's jobs that should be long gone. A job's id tells when it was made. `done`: of all. */
export async function deleteLeftOverFiles(
  blobs: Pick<Blobs, 'list' | 'delete'>,
  organisation: Id<'org'>,
  runAt: number,
): Promise<{ readonly jobs: number; readonly done: boolean }> {
  const prefix = `${organisationPrefix(organisation)}jobs/`;
  const { delimitedPrefixes, truncated } = await blobs.list({ prefix, delimiter: '/', limit: JOBS_MAX });
  let jobs = 0;
  for (const jobPrefix of delimitedPrefixes) {
    const job = parseId('bj', jobPrefix.slice(prefix.length, -1));
    if (job === null || idTimeMs(job) + LEFT_OVER_MS > runAt) continue;
    await deletePrefix(blobs, jobPrefix);
    jobs += 1;
  }
  return { jobs, done: !truncated || jobs < delimitedPrefixes.length };
}
