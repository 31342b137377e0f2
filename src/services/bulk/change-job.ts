import type * as contract from '../../contract/bulk.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { LayoutHints } from '../../domain/bulk/csv/detect.ts';
import { type JobRecord, type ReadFile, addressesKey, jobPrefix, rowIndexKey } from '../../domain/bulk/job-record.ts';
import { ERROR_MESSAGES, noColumnMessage } from '../../domain/bulk/present.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Context, verb } from '../verb.ts';
import { jobAnswer, moveJob, requireJob } from './job-steps.ts';
import { readUpload } from './read-upload.ts';
import { refusalOf } from './refusals.ts';

/** Changes a job before it starts: its name, its policy, or how its file is read. */
export const changeJob = verb({
  route: ROUTES.changeBulkJob,
  // Refuses the request where the account has no policy of this name.
  lookup: ({ body: { policy_slug } }) => (policy_slug ? { policySlug: policy_slug } : {}),
  run: async (context, { params, body: change }) => {
    const record = await requireJob(context, params.id);
    if (record.job.state !== 'ready') throw refusalOf('state', record);
    const read = await reread(context, record, change);
    const prefix = jobPrefix(context.organisationId, record.job.id);
    const moved = await moveJob(context, record.job.id, {
      kind: 'change',
      reread: read,
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.policy_slug === undefined ? {} : { policySlug: change.policy_slug }),
    });
    // The reading that this one replaced or, where the change was refused, this one itself.
    const stale = moved.ok ? moved.replaced : read?.upload.reading;
    if (stale !== undefined) await dropReading(context, prefix, stale);
    if (!moved.ok) throw refusalOf(moved.why, record);
    return jobAnswer(moved.record);
  },
});

async function reread(context: Context, record: JobRecord, change: contract.ChangeBulkJob): Promise<ReadFile | null> {
  const { has_header: hasHeader, email_column: emailColumn } = change;
  const { job, upload: stored } = record;
  if (stored === null || job.file === null || (hasHeader === undefined && emailColumn === undefined)) return null;
  const wishes: LayoutHints = {
    hasHeader: hasHeader ?? job.file.reading.hasHeader,
    emailColumn: emailColumn === undefined ? job.file.reading.emailColumn : emailColumn,
  };
  const prefix = jobPrefix(context.organisationId, job.id);
  const read = await readUpload(
    context.deps.blobs,
    prefix,
    { ...stored, reading: newId('rq', context.deps.now()) },
    wishes,
  );
  // With the other header setting the file may have no rows: the job stays as it is.
  if (typeof read === 'string') throw new DomainError('invalid_request', ERROR_MESSAGES[read]);
  if (emailColumn !== undefined && emailColumn !== null && read.file.reading.emailColumn === null) {
    await dropReading(context, prefix, read.upload.reading);
    throw new DomainError('no_email_column', noColumnMessage(true, read.file.columns));
  }
  // The column was not named: what was asked about it still is.
  if (emailColumn === undefined)
    return { ...read, file: { ...read.file, emailColumnOther: job.file.emailColumnOther } };
  return read;
}

const dropReading = ({ deps }: Context, prefix: string, reading: string) =>
  deps.blobs.delete([rowIndexKey(prefix, reading), addressesKey(prefix, reading)]);
