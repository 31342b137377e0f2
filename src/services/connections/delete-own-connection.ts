import { ROUTES } from '../../contract/routes.ts';
import { actorOf } from '../../domain/access/key-record.ts';
import { deleteConnection } from '../../storage/postgres/feedback.ts';
import { noteChange } from '../access/note-change.ts';
import { verb } from '../verb.ts';
import { requireOwnConnection } from './connection.ts';

export const deleteOwnConnection = verb({
  route: ROUTES.deleteOwnConnection,
  run: async ({ deps, organisationId, admitted }, { params }) => {
    const { id, kind } = await requireOwnConnection(deps.db, organisationId, params.id);
    await deleteConnection(deps.db, id);
    deps.connections.connections.delete(id);
    await noteChange(deps, organisationId, actorOf(admitted.key), 'connection.deleted', id, kind);
    return { done: true as const };
  },
});
