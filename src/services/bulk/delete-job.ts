import { ROUTES } from '../../contract/routes.ts';
import { jobPrefix } from '../../domain/bulk/job-record.ts';
import { deletePrefix } from '../../storage/r2.ts';
import { verb } from '../verb.ts';
import { requireJob, takeStep } from './job-steps.ts';

/** Deletes a job's files now; its record stays. */
export const deleteJob = verb({
  route: ROUTES.deleteBulkJob,
  run: async (context, { params }) => {
    const record = await requireJob(context, params.id);
    const removed = await takeStep(context, record, { kind: 'remove' });
    // A chunk may be writing right now: the object's timer deletes the files once more.
    await deletePrefix(context.deps.blobs, jobPrefix(context.organisationId, record.job.id));
    return removed;
  },
});
