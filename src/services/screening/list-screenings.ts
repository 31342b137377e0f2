import { ROUTES } from '../../contract/routes.ts';
import { screeningRow } from '../../domain/screening/record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import * as store from '../../storage/postgres/screening.ts';
import { flush, writtenBy } from '../traces/history.ts';
import { verb } from '../verb.ts';

/** Newest first. A key sees the screenings of the same keys whose traces it sees. */
export const listScreenings = verb({
  route: ROUTES.screenings,
  run: async (context, { query: { cursor, limit, key_id } }) => {
    const { deps, organisationId, admitted } = context;
    const { key } = admitted;
    const before = cursor === undefined ? null : parseId('sc', cursor);
    if (cursor !== undefined && before === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
    const by = writtenBy(key, key_id);
    if (by === 'none') return { screenings: [], cursor: null };

    await flush(deps, context, null);
    const filter = { mode: key.mode, keyId: by };
    const listed = await store.listScreenings(deps.db, organisationId, filter, limit + 1, before);
    const page = listed.slice(0, limit);
    return {
      screenings: page.map(screeningRow),
      cursor: listed.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  },
});
