import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';

export const readIdentity = verb({
  route: ROUTES.me,
  run: async ({ admitted: { key, organisation } }) => ({
    account_id: organisation.accountId,
    org: { id: organisation.id, name: organisation.name },
    key: { id: key.id, role: key.role, origin: key.origin },
    operator: key.operator,
    owner_user_id: key.userId,
  }),
});
