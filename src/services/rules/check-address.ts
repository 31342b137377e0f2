import { ROUTES } from '../../contract/routes.ts';
import { maskAddress } from '../../domain/address/mask.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import { addressStanding } from '../../domain/rules/precedence.ts';
import { DomainError } from '../../kernel/errors.ts';
import { verb } from '../verb.ts';

/** What the account's rules say of one address. */
export const checkAddress = verb({
  route: ROUTES.checkAddress,
  parse: ({ body }) => {
    const parsed = parseAddress(body.email);
    if (!parsed.ok) throw new DomainError('invalid_request', '`email` is not an address.');
    return parsed.address;
  },
  probe: (address, { organisationId }, deps) => ({
    rules: {
      addressHash: deps.hashAddress(organisationId, address.normalised),
      domain: address.domain,
      notes: true,
    },
  }),
  run: async ({ admitted }, address) => addressStanding(maskAddress(address), admitted.rules),
});
