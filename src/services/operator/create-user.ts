import { ROUTES } from '../../contract/routes.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { findUserOf, insertUser } from '../../storage/postgres/organisations.ts';
import { findPersonId } from '../people/find-person.ts';
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
    // One person has one id in all organisations.
    const id = found?.id ?? (await findPersonId(deps, normalised)) ?? newId('u', deps.now());
    const user = found ?? {
      id,
      organisationId: organisation.id,
      email: normalised,
      name: body.name ?? null,
      createdAt: deps.now(),
    };
    if (found === null) await insertUser(deps.db, user);
    const { email, name, createdAt } = user;
    const member = { userId: id, email, name, role: body.role, createdAt, createdBy: 'operator' } as const;
    const put = await askObject(deps.objects, organisation.id).putMember({ member, actor: 'operator' });
    if (!put.ok) throw new DomainError('invalid_request', 'The organisation has as many members as it can have.');
    return { user: { id, email, name, created_at: epochSeconds(createdAt) } };
  },
});
