import { ROUTES } from '../../contract/routes.ts';
import { newId } from '../../kernel/ids.ts';
import { verb } from '../verb.ts';
import { insertOrganisation, organisationBody } from './organisations.ts';

export const createOrganisation = verb({
  route: ROUTES.createOrganisation,
  run: async ({ deps }, { body }) => ({
    organisation: organisationBody(await insertOrganisation(deps, newId('org', deps.now()), body)),
  }),
});
