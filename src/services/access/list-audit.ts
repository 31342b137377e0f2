import { ROUTES } from '../../contract/routes.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { askObject } from '../../organisation/api.ts';
import { pageOf, readCursor } from '../paging.ts';
import { verb } from '../verb.ts';

export const listAudit = verb({
  route: ROUTES.audit,
  parse: ({ query: { limit, cursor } }) => ({ limit, before: readCursor(cursor, 'au') }),
  run: async ({ deps, organisationId }, { limit, before }) => {
    const listed = await askObject(deps.objects, organisationId).listAudit({ limit: limit + 1, before });
    const { shown, cursor } = pageOf(listed, limit, ({ id }) => id);
    return { entries: shown.map((entry) => ({ ...entry, at: epochSeconds(entry.at) })), cursor };
  },
});
