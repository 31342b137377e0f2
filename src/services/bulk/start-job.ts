import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { requireJob, takeStep } from './job-steps.ts';

export const startJob = verb({
  route: ROUTES.startBulkJob,
  run: async (context, { params, body: { allow_partial: allowPartial = false, notify = false } }) =>
    takeStep(context, await requireJob(context, params.id), { kind: 'start', allowPartial, notify }),
});

/** A range in work is finished and kept; ranges not begun are dropped. */
export const cancelJob = verb({
  route: ROUTES.cancelBulkJob,
  run: async (context, { params }) => takeStep(context, await requireJob(context, params.id), { kind: 'cancel' }),
});

/** Lets a job that waits for quota go on. */
export const resumeJob = verb({
  route: ROUTES.resumeBulkJob,
  run: async (context, { params }) => takeStep(context, await requireJob(context, params.id), { kind: 'resume' }),
});
