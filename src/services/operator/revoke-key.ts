import { ROUTES } from '../../contract/routes.ts';
import { parseId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { keyBody } from './key-body.ts';
import { notFound, requireOrganisation } from './organisations.ts';

/** The key is refused from the next request on. */
export const revokeKey = verb({
  route: ROUTES.revokeKey,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const keyId = parseId('key', params.key_id);
    const key = keyId === null ? null : await askObject(deps.objects, id).revokeKey(keyId);
    if (key === null) throw notFound('key');
    return { key: keyBody(deps, key) };
  },
});
