import { ROUTES } from '../../contract/routes.ts';
import { jobBody } from '../../domain/bulk/present.ts';
import { PORT_VERSION } from '../../organisation/api.ts';
import { pageOf, readCursor } from '../paging.ts';
import { verb } from '../verb.ts';
import { askJobs } from './job-steps.ts';

/** Newest first. */
export const listJobs = verb({
  route: ROUTES.listBulkJobs,
  parse: ({ query: { limit, cursor, state } }) => ({ limit, before: readCursor(cursor, 'bj'), state: state ?? null }),
  run: async (context, { limit, before, state }) => {
    const page = { v: PORT_VERSION, mode: context.mode, state, limit: limit + 1, before } as const;
    const listed = await askJobs(context, 'listJobs', (stub) => stub.listJobs(page));
    const { shown, cursor } = pageOf(listed, limit, ({ job }) => job.id);
    return { jobs: shown.map(({ job }) => jobBody(job)), cursor };
  },
});
