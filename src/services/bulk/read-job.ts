import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { jobAnswer, requireJob } from './job-steps.ts';

export const readJob = verb({
  route: ROUTES.bulkJob,
  run: async (context, { params }) => jobAnswer(await requireJob(context, params.id)),
});
