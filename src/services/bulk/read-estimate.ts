import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { estimateJob } from './estimate.ts';
import { requireJob } from './job-steps.ts';
import { GONE, refusalOf } from './refusals.ts';

/** What the rest of the job would cost now, or all of its file once more. */
export const readEstimate = verb({
  route: ROUTES.estimateBulkJob,
  run: async (context, { params, query: { again } }) => {
    const record = await requireJob(context, params.id);
    if (record.job.filesDeletedAt !== null) throw GONE;
    if (record.job.file === null) throw refusalOf('state', record);
    if (record.job.file.reading.emailColumn === null) throw refusalOf('no_email_column', record);
    return estimateJob(context, record, again === 'true');
  },
});
