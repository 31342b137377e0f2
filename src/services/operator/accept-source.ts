import { ROUTES } from '../../contract/routes.ts';
import { acceptDisposableSource } from '../nightly/disposable-lists.ts';
import { verb } from '../verb.ts';

/** Takes a larger change of a list of disposable domains than the night would. */
export const acceptSource = verb({
  route: ROUTES.acceptSource,
  run: async ({ deps }, { body }) =>
    acceptDisposableSource({ ...deps.disposableLists, db: deps.db }, body.source, deps.now),
});
