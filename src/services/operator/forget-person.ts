import { ROUTES } from '../../contract/routes.ts';
import { verb } from '../verb.ts';
import { forgetAddress } from './forget.ts';

/** Cuts every link to an address, in all organisations, a page of them a call. */
export const forgetPerson = verb({
  route: ROUTES.forget,
  run: async ({ deps }, { body }) => forgetAddress(deps, body),
});
