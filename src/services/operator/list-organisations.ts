import { ROUTES } from '../../contract/routes.ts';
import { listOrganisations as listStored } from '../../storage/postgres/organisations.ts';
import { verb } from '../verb.ts';
import { organisationBody, readOrganisationCursor } from './organisations.ts';

/** Lists the directory, newest first. */
export const listOrganisations = verb({
  route: ROUTES.listOrganisations,
  run: async ({ deps }, { query: { limit, cursor } }) => {
    const listed = await listStored(deps.db, limit + 1, readOrganisationCursor(cursor));
    const page = listed.slice(0, limit);
    return {
      organisations: page.map(organisationBody),
      cursor: listed.length > limit ? (page.at(-1)?.id ?? null) : null,
    };
  },
});
