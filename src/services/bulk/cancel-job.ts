import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { requireJob, takeStep } from './job-steps.ts';

/** Chunks in work are finished and kept; chunks not begun are dropped. */
export const cancelJob = verb({
  route: ROUTES.cancelBulkJob,
  run: async (context, { params }) => takeStep(context, await requireJob(context, params.id), { kind: 'cancel' }),
});
