import { ROUTES } from '../../contract/routes.ts';
import { deleteConnection } from '../../storage/postgres/feedback.ts';
import { verb } from '../verb.ts';
import { requireOwnConnection } from './connection.ts';

export const deleteOwnConnection = verb({
  route: ROUTES.deleteOwnConnection,
  run: async ({ deps, organisationId }, { params }) => {
    const { id } = await requireOwnConnection(deps.db, organisationId, params.id);
    await deleteConnection(deps.db, id);
    deps.connections.connections.delete(id);
    return { done: true as const };
  },
});
