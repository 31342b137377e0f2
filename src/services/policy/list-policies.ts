import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { policyBody } from './policy-body.ts';

/** Each policy in its newest version. */
export const listPolicies = verb({
  route: ROUTES.policies,
  run: async ({ deps, organisationId }, { query: { limit, cursor } }) => {
    const listed = await askObject(deps.objects, organisationId).listPolicies({ limit, before: cursor ?? null });
    if (listed === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
    const { policies, isLast } = listed;
    return { policies: policies.map(policyBody), cursor: isLast ? null : (policies.at(-1)?.slug ?? null) };
  },
});
