import { ROUTES } from '../../contract/routes.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { findUserOf, insertUser } from '../../storage/postgres/organisations.ts';
import { requireAddress } from '../require-address.ts';
import { verb } from '../verb.ts';
import { requireOrganisation } from './organisations.ts';

export const createUser = verb({
  route: ROUTES.createUser,
  run: async ({ deps }, { params, body }) => {
    const organisation = await requireOrganisation(deps.objects, params.id);
    // Normalised, so that `forget` finds it in every spelling.
    const { normalised } = requireAddress(body.email);
    const found = await findUserOf(deps.db, organisation.id, normalised);
    const user = found ?? {
      id: newId('u', deps.now()),
      organisationId: organisation.id,
      email: normalised,
      name: body.name ?? null,
      createdAt: deps.now(),
    };
    if (found === null) await insertUser(deps.db, user);
    const { id, email, name, createdAt } = user;
    return { user: { id, email, name, created_at: epochSeconds(createdAt) } };
  },
});
