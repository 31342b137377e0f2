import { ROUTES } from '../../contract/routes.ts';
import { listOrganisations as listStored } from '../../storage/postgres/organisations.ts';
import { pageOf, readCursor } from '../paging.ts';
import { verb } from '../verb.ts';
import { organisationBody } from './organisations.ts';

/** Lists the directory, newest first. */
export const listOrganisations = verb({
  route: ROUTES.listOrganisations,
  parse: ({ query: { limit, cursor } }) => ({ limit, before: readCursor(cursor, 'org') }),
  run: async ({ deps }, { limit, before }) => {
    const listed = await listStored(deps.db, limit + 1, before);
    const { shown, cursor } = pageOf(listed, limit, ({ id }) => id);
    return { organisations: shown.map(organisationBody), cursor };
  },
});
