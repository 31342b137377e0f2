import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { requireJob, takeStep } from './job-steps.ts';

/** Ranges in work are finished and kept; ranges not begun are dropped. */
export const cancelJob = verb({
  route: ROUTES.cancelBulkJob,
  run: async (context, { params }) => takeStep(context, await requireJob(context, params.id), { kind: 'cancel' }),
});
