import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { accountLosses } from './losses-body.ts';

export const readLosses = verb({
  route: ROUTES.losses,
  run: async ({ deps, organisationId }, { query: { version } }) => {
    const found =
      version === 0 ? null : await askObject(deps.objects, organisationId).readLosses({ version: version ?? null });
    if (found === null && version !== undefined && version > 0)
      throw new DomainError('not_found', 'Your losses do not have this version.');
    return { losses: accountLosses(found) };
  },
});
