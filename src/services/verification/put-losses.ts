import { ROUTES } from '../../contract/routes.ts';
import { authorOf } from '../../domain/access/keys.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { accountLosses } from './losses-body.ts';

/** Saves the organisation's losses as the newest version, if the version in force is one of `expected`. */
export const putLosses = verb({
  route: ROUTES.putLosses,
  run: async ({ deps, organisationId, traceId, authorized: { key } }, { body, expected }) => {
    const change = {
      operationId: traceId,
      document: JSON.stringify(body),
      author: authorOf(key),
      expected,
    };
    const answer = await askObject(deps.objects, organisationId).putLosses(change);
    if (answer.ok) return { losses: accountLosses(answer.saved) };
    const { inForce } = answer;
    throw new DomainError(
      'version_conflict',
      `Version ${inForce} is in force: read it, then send \`If-Match: "${inForce}"\` to change that one.`,
    );
  },
});
