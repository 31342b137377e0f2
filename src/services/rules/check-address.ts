import { ROUTES } from '../../contract/routes.ts';
import { maskAddress } from '../../domain/address/mask.ts';
import { addressStanding } from '../../domain/rules/precedence.ts';
import { requireAddress } from '../require-address.ts';
import { verb } from '../verb.ts';

/** Tells what the account's rules say of one address. */
export const checkAddress = verb({
  route: ROUTES.checkAddress,
  parse: ({ body }) => requireAddress(body.email),
  probe: (address, { organisationId }, deps) => ({
    rules: {
      addressHash: deps.hashAddress(organisationId, address.normalised),
      domain: address.domain,
      notes: true,
    },
  }),
  run: async ({ admitted }, address) => addressStanding(maskAddress(address), admitted.rules),
});
