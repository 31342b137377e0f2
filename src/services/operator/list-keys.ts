import { ROUTES } from '../../contract/routes.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { keyBody } from './key-body.ts';
import { requireOrganisation } from './organisations.ts';

export const listKeys = verb({
  route: ROUTES.listKeys,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const keys = await askObject(deps.objects, id).listKeys();
    return { keys: keys.map((key) => keyBody(deps, key)) };
  },
});
