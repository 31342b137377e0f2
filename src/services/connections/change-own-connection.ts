import { secretFault } from '../../contract/connections.ts';
import { ROUTES } from '../../contract/routes.ts';
import { actorOf } from '../../domain/access/key-record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { noteChange } from '../access/note-change.ts';
import { verb } from '../verb.ts';
import { connectionUrl, replaceSecret, requireOwnConnection } from './connection.ts';

export const changeOwnConnection = verb({
  route: ROUTES.changeOwnConnection,
  run: async ({ deps, organisationId, admitted }, { params, body: { secret } }) => {
    const stored = await requireOwnConnection(deps.db, organisationId, params.id);
    const fault = secretFault(stored.kind, secret);
    if (fault !== null) throw new DomainError('invalid_request', `\`secret\` ${fault}.`);
    await replaceSecret(deps, stored, secret);
    const summary = `${stored.kind}: new secret`;
    await noteChange(deps, organisationId, actorOf(admitted.key), 'connection.changed', stored.id, summary);
    return { connection: { id: stored.id, kind: stored.kind, url: connectionUrl(deps, stored) } };
  },
});
