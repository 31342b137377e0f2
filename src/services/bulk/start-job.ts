import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { requireJob, takeStep } from './job-steps.ts';

export const startJob = verb({
  route: ROUTES.startBulkJob,
  run: async (context, { params, body: { allow_partial: allowPartial = false, notify = false } }) =>
    takeStep(context, await requireJob(context, params.id), { kind: 'start', allowPartial, notify }),
});
