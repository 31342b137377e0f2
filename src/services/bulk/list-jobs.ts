import { ROUTES } from '../../contract/routes.ts';
import { jobBody } from '../../domain/bulk/present.ts';
import { askObject } from '../../organisation/api.ts';
import { pageOf, readCursor } from '../paging.ts';
import { verb } from '../verb.ts';

/** Newest first. */
export const listJobs = verb({
  route: ROUTES.listBulkJobs,
  parse: ({ query: { limit, cursor, state } }) => ({ limit, before: readCursor(cursor, 'bj'), state: state ?? null }),
  run: async ({ deps, organisationId, mode }, { limit, before, state }) => {
    const page = { mode, state, limit: limit + 1, before };
    const listed = await askObject(deps.objects, organisationId).listJobs(page);
    const { shown, cursor } = pageOf(listed, limit, ({ job }) => job.id);
    return { jobs: shown.map(({ job }) => jobBody(job)), cursor };
  },
});
