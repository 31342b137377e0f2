import { ROUTES } from '../../contract/routes.ts';
import { jobBody } from '../../domain/bulk/present.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { PORT_VERSION } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { askJobs } from './job-steps.ts';

/** Newest first. */
export const listJobs = verb({
  route: ROUTES.listBulkJobs,
  parse: ({ query: { limit, cursor, state } }) => {
    const before = cursor === undefined ? null : parseId('bj', cursor);
    if (cursor !== undefined && before === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
    return { limit, before, state: state ?? null };
  },
  run: async (context, { limit, before, state }) => {
    const page = { v: PORT_VERSION, mode: context.mode, state, limit: limit + 1, before } as const;
    const listed = await askJobs(context, 'listJobs', (stub) => stub.listJobs(page));
    const shown = listed.slice(0, limit);
    return {
      jobs: shown.map(({ job }) => jobBody(job)),
      cursor: listed.length > limit ? (shown.at(-1)?.job.id ?? null) : null,
    };
  },
});
