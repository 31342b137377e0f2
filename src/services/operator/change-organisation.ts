import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject, callObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { OPERATORS_ID } from './operators.ts';
import { limitsOf, notFound, organisationBody, requireOrganisation } from './organisations.ts';

/** Changes name and limits from the next request on. */
export const changeOrganisation = verb({
  route: ROUTES.changeOrganisation,
  run: async ({ deps }, { params, body }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const limits = limitsOf(body);
    // Under a rate of 1 no operator could set it right again.
    if (id === OPERATORS_ID && Object.keys(limits).length > 0)
      throw new DomainError('invalid_request', 'The limits of the operators’ own organisation can’t be changed.');
    const change = { limits, ...(body.name === undefined ? {} : { name: body.name }) };
    const settings = await askObject(deps.objects, id).configure(change);
    if (settings === null) throw notFound('organisation');
    // The next list reads Postgres and should show the change.
    await callObject(deps.objects, id).flush(null);
    return { organisation: organisationBody(settings) };
  },
});
