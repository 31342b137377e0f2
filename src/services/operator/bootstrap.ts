import { ROUTES } from '../../contract/routes.ts';
import { bootstrapKeyId, isBootstrapToken } from '../../domain/access/bootstrap-token.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { openVerb } from '../verb.ts';
import { makeKey } from './make-key.ts';
import { OPERATORS_ID } from './operators.ts';
import { insertOrganisation } from './organisations.ts';

/**
 * Makes the first operator key for a token that proves the service secret. A token works once: the key that it made marks it
 * as used.
 */
export const bootstrap = openVerb({
  route: ROUTES.bootstrap,
  answer: async (deps, { token }) => {
    if (!isBootstrapToken(deps.serviceSecret(), token, deps.now()))
      throw new DomainError('unauthorized', 'The bootstrap token is missing, wrong or out of time.');
    const settings = await askObject(deps.objects, OPERATORS_ID).settings();
    if (settings === null) await insertOrganisation(deps, OPERATORS_ID, { name: 'Operators' });
    const key = { name: 'operator', role: 'admin', origin: 'manual', test: false } as const;
    return makeKey(deps, OPERATORS_ID, key, true, bootstrapKeyId(token));
  },
});
