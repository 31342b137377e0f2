import { ROUTES } from '../../contract/routes.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import * as store from '../../storage/postgres/feedback.ts';
import { requireOrganisation } from '../operator/organisations.ts';
import { verb } from '../verb.ts';
import { ACTIVITY_MS, connectionBody } from './connection.ts';

export const listConnections = verb({
  route: ROUTES.listConnections,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const activity = await store.listActivity(deps.db, id, deps.now() - ACTIVITY_MS);
    const connections = (await store.listConnections(deps.db, id)).map((connection) => {
      const { lastAt = null, live = 0, test = 0 } = activity.get(connection.id) ?? {};
      const last_received_at = lastAt === null ? null : epochSeconds(lastAt);
      return { ...connectionBody(deps, connection), last_received_at, live_events: live, test_events: test };
    });
    return { connections };
  },
});
