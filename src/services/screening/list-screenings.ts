import { ROUTES } from '../../contract/routes.ts';
import { screeningRow } from '../../domain/screening/record.ts';
import * as store from '../../storage/postgres/screening.ts';
import { pageOf, readCursor } from '../paging.ts';
import { flush, writtenBy } from '../traces/history.ts';
import { verb } from '../verb.ts';

/** Newest first. A key sees the screenings of the same keys whose traces it sees. */
export const listScreenings = verb({
  route: ROUTES.screenings,
  parse: ({ query: { cursor, limit, key_id } }) => ({ limit, keyId: key_id, before: readCursor(cursor, 'sc') }),
  run: async (context, { limit, keyId, before }) => {
    const { deps, organisationId, admitted } = context;
    const { key } = admitted;
    const by = writtenBy(key, keyId);
    if (by === 'none') return { screenings: [], cursor: null };

    await flush(deps, context, null);
    const filter = { mode: key.mode, keyId: by };
    const listed = await store.listScreenings(deps.db, organisationId, filter, limit + 1, before);
    const { shown, cursor } = pageOf(listed, limit, ({ id }) => id);
    return { screenings: shown.map(screeningRow), cursor };
  },
});
