import { ROUTES } from '../../contract/routes.ts';
import { writtenBy } from '../../domain/access/written-by.ts';
import { screeningRow } from '../../domain/screening/record.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import * as store from '../../storage/postgres/screening.ts';
import { pageOf, readCursor } from '../paging.ts';
import { flush } from '../traces/history.ts';
import { verb } from '../verb.ts';

/** Newest first. A key sees the screenings of the same keys whose traces it sees. */
export const listScreenings = verb({
  route: ROUTES.screenings,
  parse: ({ query }) => ({ query, before: readCursor(query.cursor, 'sc') }),
  run: async (context, { query, before }) => {
    const { deps, organisationId, admitted } = context;
    const { key } = admitted;
    const { limit, from, to, recommendation, reason, domain } = query;
    const by = writtenBy(key, query.key_id);
    if (by === 'none') return { screenings: [], cursor: null };

    await flush(deps, context, null);
    const filter = {
      mode: key.mode,
      keyId: by,
      fromMs: from === undefined ? null : from * SECOND_MS,
      toMs: to === undefined ? null : to * SECOND_MS,
      facets: { recommendation, reason, domain },
    };
    const page = await store.listScreenings(deps.db, organisationId, filter, limit + 1, before);
    const { shown, cursor } = pageOf(page.screenings, limit, ({ id }) => id);
    return { screenings: shown.map(screeningRow), cursor: cursor ?? page.examinedTo };
  },
});
