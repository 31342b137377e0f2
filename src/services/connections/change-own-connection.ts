import { secretFault } from '../../contract/connections.ts';
import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { verb } from '../verb.ts';
import { connectionUrl, replaceSecret, requireOwnConnection } from './connection.ts';

export const changeOwnConnection = verb({
  route: ROUTES.changeOwnConnection,
  run: async ({ deps, organisationId }, { params, body: { secret } }) => {
    const stored = await requireOwnConnection(deps.db, organisationId, params.id);
    const fault = secretFault(stored.kind, secret);
    if (fault !== null) throw new DomainError('invalid_request', `\`secret\` ${fault}.`);
    await replaceSecret(deps, stored, secret);
    return { connection: { id: stored.id, kind: stored.kind, url: connectionUrl(deps, stored) } };
  },
});
