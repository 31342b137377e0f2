import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { makeKey } from './make-key.ts';
import { requireOrganisation } from './organisations.ts';

export const createKey = verb({
  route: ROUTES.createKey,
  run: async ({ deps }, { params, body }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    return makeKey(deps, id, body, false);
  },
});
