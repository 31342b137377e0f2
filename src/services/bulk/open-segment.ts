import { jobPrefix } from '../../domain/bulk/job-record.ts';
import { resultsOf } from '../../domain/bulk/job.ts';
import { segment } from '../../domain/bulk/results/segments.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import type { Context } from '../verb.ts';
import { requireJob } from './job-steps.ts';
import { GONE, notYet } from './refusals.ts';
import { readResults } from './results.ts';

/** The segment that has every row. */
export const ALL = 'all';

/** A job's results, and the rows that a segment includes (null: all). Throws a refusal while the job has no results. */
export async function openSegment(
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
