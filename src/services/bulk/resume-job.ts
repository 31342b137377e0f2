import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { requireJob, takeStep } from './job-steps.ts';

/** Lets a job that waits for quota go on. */
export const resumeJob = verb({
  route: ROUTES.resumeBulkJob,
  run: async (context, { params }) => takeStep(context, await requireJob(context, params.id), { kind: 'resume' }),
});
