import { ROUTES } from '../../contract/routes.ts';
import { actorOf } from '../../domain/access/key-record.ts';
import { newConnectionId } from '../../domain/feedback/connection-id.ts';
import { insertConnection } from '../../storage/postgres/feedback.ts';
import { noteChange } from '../access/note-change.ts';
import { verb } from '../verb.ts';
import { connectionUrl } from './connection.ts';
import { sealSecrets } from './secrets.ts';

export const createOwnConnection = verb({
  route: ROUTES.createOwnConnection,
  run: async ({ deps, organisationId, admitted }, { body: { kind, secret } }) => {
    const id = newConnectionId(deps.connectionIdKey(), deps.now());
    const secrets = await sealSecrets(deps, id, [secret]);
    await insertConnection(deps.db, { id, organisationId, kind, createdAt: deps.now(), secrets });
    await noteChange(deps, organisationId, actorOf(admitted.key), 'connection.created', id, kind);
    return { connection: { id, kind, url: connectionUrl(deps, { id, kind }) } };
  },
});
