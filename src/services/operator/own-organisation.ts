import { ROUTES } from '../../contract/routes.ts';
import { actorOf } from '../../domain/access/key-record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { deleteRemains } from './delete-remains.ts';
import { OPERATORS_ID } from './operators.ts';
import { organisationBody, requireOrganisation } from './organisations.ts';

export const readOwnOrganisation = verb({
  route: ROUTES.ownOrganisation,
  run: async ({ deps, organisationId }) => ({
    organisation: organisationBody(await requireOrganisation(deps.objects, organisationId)),
  }),
});

/** Its limits are the operators' to change. */
export const changeOwnOrganisation = verb({
  route: ROUTES.changeOwnOrganisation,
  run: async ({ deps, organisationId, admitted }, { body }) => {
    const change = { actor: actorOf(admitted.key), ...(body.name !== undefined && { name: body.name }) };
    return { organisation: organisationBody(await askObject(deps.objects, organisationId).changeOrganisation(change)) };
  },
});

/** The tombstone comes first, as with the operators' call. What fails behind it, the nightly run deletes. */
export const deleteOwnOrganisation = verb({
  route: ROUTES.deleteOwnOrganisation,
  run: async ({ deps, organisationId }) => {
    if (organisationId === OPERATORS_ID)
      throw new DomainError('invalid_request', 'The operators’ own organisation can’t be deleted.');
    await askObject(deps.objects, organisationId).destroy();
    await deleteRemains(deps, organisationId);
    return { done: true as const };
  },
});
