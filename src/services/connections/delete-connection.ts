import { ROUTES } from '../../contract/routes.ts';
import * as store from '../../storage/postgres/feedback.ts';
import { noteChange } from '../access/note-change.ts';
import { verb } from '../verb.ts';
import { requireConnection } from './connection.ts';

export const deleteConnection = verb({
  route: ROUTES.deleteConnection,
  run: async ({ deps }, { params }) => {
    const { id, kind, organisationId } = await requireConnection(deps, params.id, params.connection_id);
    await store.deleteConnection(deps.db, id);
    deps.connections.connections.delete(id);
    await noteChange(deps, organisationId, 'operator', 'connection.deleted', id, kind);
    return { done: true as const };
  },
});
