import { ROUTES } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { PORT_VERSION } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { askPolicies, policyBody } from './policy-body.ts';

export const readPolicy = verb({
  route: ROUTES.policy,
  run: async (context, { params: { slug }, query: { version } }) => {
    const wanted = { v: PORT_VERSION, slug, version: version ?? null } as const;
    const found = await askPolicies(context, 'readPolicy', (stub) => stub.readPolicy(wanted));
    if (found === null) throw new DomainError('not_found', 'There is no such policy, or no such version of it.');
    return { policy: policyBody(found) };
  },
});
