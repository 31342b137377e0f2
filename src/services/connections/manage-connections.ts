import { ROUTES } from '../../contract/routes.ts';
import { newConnectionId } from '../../domain/feedback/connection-id.ts';
import { DAY_MS, epochSeconds } from '../../kernel/clock.ts';
import * as store from '../../storage/postgres/feedback.ts';
import { requireOrganisation } from '../operator/organisations.ts';
import { verb } from '../verb.ts';
import { openSecrets, requireStored, seal, shown } from './secrets.ts';

/** So far back a list looks at what a connection brought. */
const ACTIVITY_MS = 30 * DAY_MS;

export const createConnection = verb({
  route: ROUTES.createConnection,
  run: async ({ deps }, { params, body: { kind, webhook_secret } }) => {
    const { id: organisationId } = await requireOrganisation(deps.objects, params.id);
    const id = newConnectionId(deps.connectionIdKey(), deps.now());
    const connection = { id, organisationId, kind, createdAt: deps.now() };
    await store.insertConnection(deps.db, { ...connection, secrets: await seal(deps, id, [webhook_secret]) });
    return { connection: shown(deps, connection) };
  },
});

export const listConnections = verb({
  route: ROUTES.listConnections,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const activity = await store.listActivity(deps.db, id, deps.now() - ACTIVITY_MS);
    const connections = (await store.listConnections(deps.db, id)).map((connection) => {
      const { lastAt = null, live = 0, test = 0 } = activity.get(connection.id) ?? {};
      const last_received_at = lastAt === null ? null : epochSeconds(lastAt);
      return { ...shown(deps, connection), last_received_at, live_events: live, test_events: test };
    });
    return { connections };
  },
});

/** Replaces the secret; the one before stays good until the next. */
export const changeConnection = verb({
  route: ROUTES.changeConnection,
  run: async ({ deps }, { params, body: { webhook_secret } }) => {
    const stored = await requireStored(deps, params.id, params.connection_id);
    const { secrets } = await openSecrets(deps, stored);
    const kept = secrets.filter((secret) => secret !== webhook_secret).slice(0, 1);
    await store.changeSecrets(deps.db, stored.id, await seal(deps, stored.id, [webhook_secret, ...kept]));
    deps.connections.connections.delete(stored.id);
    return { connection: shown(deps, stored) };
  },
});

export const deleteConnection = verb({
  route: ROUTES.deleteConnection,
  run: async ({ deps }, { params }) => {
    const { id } = await requireStored(deps, params.id, params.connection_id);
    await store.deleteConnection(deps.db, id);
    deps.connections.connections.delete(id);
    return { done: true as const };
  },
});
