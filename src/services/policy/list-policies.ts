import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { PORT_VERSION } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { askPolicies, policyBody } from './policy-body.ts';

/** Each policy in its newest version. */
export const listPolicies = verb({
  route: ROUTES.policies,
  run: async (context, { query: { limit, cursor } }) => {
    const page = { v: PORT_VERSION, limit, before: cursor ?? null } as const;
    const listed = await askPolicies(context, 'listPolicies', (stub) => stub.listPolicies(page));
    if (listed === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
    const { policies, isLast } = listed;
    return { policies: policies.map(policyBody), cursor: isLast ? null : (policies.at(-1)?.slug ?? null) };
  },
});
