import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { findOrganisation } from '../../storage/postgres/organisations.ts';
import { verb } from '../verb.ts';
import { deleteRemains } from './delete-remains.ts';
import { OPERATORS_ID } from './operators.ts';
import { notFound } from './organisations.ts';

/**
 * The object's tombstone comes first: from then on keys fail, writes stop, and the organisation is 404. A repeat deletes the
 * rest.
 */
export const deleteOrganisation = verb({
  route: ROUTES.deleteOrganisation,
  run: async ({ deps }, { params }) => {
    const id = parseId('org', params.id);
    if (id === null) throw notFound('organisation');
    if (id === OPERATORS_ID)
      throw new DomainError('invalid_request', 'The operators’ own organisation can’t be deleted.');
    const known = await askObject(deps.objects, id).settings();
    if (known === null && (await findOrganisation(deps.db, id)) === null) throw notFound('organisation');
    await askObject(deps.objects, id).destroy();
    await deleteRemains(deps, id);
    return { done: true as const };
  },
});
