import { ROUTES } from '../../contract/routes.ts';
import { newConnectionId } from '../../domain/feedback/connection-id.ts';
import { insertConnection } from '../../storage/postgres/feedback.ts';
import { noteChange } from '../access/note-change.ts';
import { requireOrganisation } from '../operator/organisations.ts';
import { verb } from '../verb.ts';
import { connectionBody } from './connection.ts';
import { sealSecrets } from './secrets.ts';

export const createConnection = verb({
  route: ROUTES.createConnection,
  run: async ({ deps }, { params, body: { kind, webhook_secret } }) => {
    const { id: organisationId } = await requireOrganisation(deps.objects, params.id);
    const id = newConnectionId(deps.connectionIdKey(), deps.now());
    const connection = { id, organisationId, kind, createdAt: deps.now() };
    await insertConnection(deps.db, { ...connection, secrets: await sealSecrets(deps, id, [webhook_secret]) });
    await noteChange(deps, organisationId, 'operator', 'connection.created', id, kind);
    return { connection: connectionBody(deps, connection) };
  },
});
