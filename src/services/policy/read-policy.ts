import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { policyBody } from './policy-body.ts';

export const readPolicy = verb({
  route: ROUTES.policy,
  run: async ({ deps, organisationId }, { params: { slug }, query: { version } }) => {
    const wanted = { slug, version: version ?? null };
    const found = await askObject(deps.objects, organisationId).readPolicy(wanted);
    if (found === null) throw new DomainError('not_found', 'This policy, or this version of it, does not exist.');
    return { policy: policyBody(found) };
  },
});
