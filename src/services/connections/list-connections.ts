import { ROUTES } from '../../contract/routes.ts';
import { DAY_MS, epochSeconds } from '../../kernel/clock.ts';
import * as store from '../../storage/postgres/feedback.ts';
import { requireOrganisation } from '../operator/organisations.ts';
import { verb } from '../verb.ts';
import { connectionBody } from './connection.ts';

/** Events of this long count as a connection's activity. */
const ACTIVITY_MS = 30 * DAY_MS;

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
