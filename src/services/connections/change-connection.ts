import { ROUTES } from '../../contract/routes.ts';
import { changeSecrets } from '../../storage/postgres/feedback.ts';
import { verb } from '../verb.ts';
import { connectionBody, requireConnection } from './connection.ts';
import { openSecrets, sealSecrets } from './secrets.ts';

/** Replaces the secret; the one before stays good until the next change. */
export const changeConnection = verb({
  route: ROUTES.changeConnection,
  run: async ({ deps }, { params, body: { webhook_secret } }) => {
    const stored = await requireConnection(deps, params.id, params.connection_id);
    const { secrets } = await openSecrets(deps, stored);
    const kept = secrets.filter((secret) => secret !== webhook_secret).slice(0, 1);
    await changeSecrets(deps.db, stored.id, await sealSecrets(deps, stored.id, [webhook_secret, ...kept]));
    deps.connections.connections.delete(stored.id);
    return { connection: connectionBody(deps, stored) };
  },
});
