import { ROUTES } from '../../contract/routes.ts';
import { parseId } from '../../kernel/ids.ts';
import { verb } from '../verb.ts';
import { keyBody, makeKey } from './keys.ts';
import { askOrganisation, notFound, requireOrganisation } from './organisations.ts';

export const createKey = verb({
  route: ROUTES.createKey,
  run: async ({ deps }, { params, body }) =>
    makeKey(deps, (await requireOrganisation(deps.objects, params.id)).id, body, false),
});

export const listKeys = verb({
  route: ROUTES.listKeys,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const keys = await askOrganisation(deps, id, 'listKeys', (stub) => stub.listKeys());
    return { keys: keys.map((key) => keyBody(deps, key)) };
  },
});

/** Refused from the next request on. */
export const revokeKey = verb({
  route: ROUTES.revokeKey,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const keyId = parseId('key', params.key_id);
    const key = keyId === null ? null : await askOrganisation(deps, id, 'revokeKey', (stub) => stub.revokeKey(keyId));
    if (key === null) throw notFound('key');
    return { key: keyBody(deps, key) };
  },
});
