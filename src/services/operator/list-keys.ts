import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { keyBody } from './key-body.ts';
import { askOrganisation, requireOrganisation } from './organisations.ts';

export const listKeys = verb({
  route: ROUTES.listKeys,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const keys = await askOrganisation(deps, id, 'listKeys', (stub) => stub.listKeys());
    return { keys: keys.map((key) => keyBody(deps, key)) };
  },
});
