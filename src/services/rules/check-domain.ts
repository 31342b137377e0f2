import { ROUTES } from '../../contract/routes.ts';
import { readDomainName } from '../../domain/rules/domain-entry.ts';
import { domainStanding } from '../../domain/rules/precedence.ts';
import { DomainError } from '../../kernel/errors.ts';
import { verb } from '../verb.ts';

/** Tells what lists and rules say of one domain. */
export const checkDomain = verb({
  route: ROUTES.checkDomain,
  parse: ({ body }) => {
    const parsed = readDomainName(body.domain);
    if (!parsed.ok) throw new DomainError('invalid_request', '`domain` is not a domain name.');
    return parsed.domain;
  },
  probe: (domain) => ({ rules: { addressHash: null, domain, notes: true } }),
  run: async ({ deps, admitted }, domain) => domainStanding(domain, admitted.rules, deps.lists.disposableTier(domain)),
});
