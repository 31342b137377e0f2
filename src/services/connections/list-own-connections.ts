import { ROUTES } from '../../contract/routes.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { listConnections } from '../../storage/postgres/feedback.ts';
import { countEvents } from '../../storage/postgres/mail-reports.ts';
import { verb } from '../verb.ts';
import { ACTIVITY_MS, connectionBody } from './connection.ts';

export const listOwnConnections = verb({
  route: ROUTES.ownConnections,
  run: async ({ deps, organisationId }) => {
    const received = await countEvents(deps.db, organisationId, deps.now() - ACTIVITY_MS);
    const connections = (await listConnections(deps.db, organisationId)).map((connection) => {
      const { lastAt = null, counts = {} } = received.get(connection.id) ?? {};
      const last_event_at = lastAt === null ? null : epochSeconds(lastAt);
      return { ...connectionBody(deps, connection), last_event_at, events: counts, refused: connection.refused };
    });
    return { connections };
  },
});
