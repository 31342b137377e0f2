import { ROUTES } from '../../contract/routes.ts';
import { newConnectionId } from '../../domain/feedback/connection-id.ts';
import { insertConnection } from '../../storage/postgres/feedback.ts';
import { verb } from '../verb.ts';
import { connectionUrl } from './connection.ts';
import { sealSecrets } from './secrets.ts';

export const createOwnConnection = verb({
  route: ROUTES.createOwnConnection,
  run: async ({ deps, organisationId }, { body: { kind, secret } }) => {
    const id = newConnectionId(deps.connectionIdKey(), deps.now());
    const secrets = await sealSecrets(deps, id, [secret]);
    await insertConnection(deps.db, { id, organisationId, kind, createdAt: deps.now(), secrets });
    return { connection: { id, kind, url: connectionUrl(deps, { id, kind }) } };
  },
});
