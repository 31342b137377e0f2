import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { noteChange } from '../access/note-change.ts';
import { verb } from '../verb.ts';
import { connectionBody, replaceSecret, requireConnection } from './connection.ts';

/** Replaces a processor's secret. A mail service's is its account's own to replace. */
export const changeConnection = verb({
  route: ROUTES.changeConnection,
  run: async ({ deps }, { params, body: { webhook_secret } }) => {
    const stored = await requireConnection(deps, params.id, params.connection_id);
    if (stored.kind !== 'stripe')
      throw new DomainError(
        'invalid_request',
        'Operators replace the secret of a payment processor alone; the account replaces this one.',
      );
    await replaceSecret(deps, stored, webhook_secret);
    const summary = `${stored.kind}: new secret`;
    await noteChange(deps, stored.organisationId, 'operator', 'connection.changed', stored.id, summary);
    return { connection: connectionBody(deps, stored) };
  },
});
