import { ROUTES } from '../../contract/routes.ts';
import { storedTextFault } from '../../contract/stored-text.ts';
import { authorOf } from '../../domain/access/keys.ts';
import { isPolicySlug, parsePolicy } from '../../domain/policy/document.ts';
import { faultsMessage } from '../../domain/policy/conditions.ts';
import { POLICIES_MAX, type PolicyRefused } from '../../domain/policy/policy-records.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject } from '../../organisation/api.ts';
import { verb } from '../verb.ts';
import { policyBody } from './policy-body.ts';

/** Saves a document as the newest version, provided that the version in force is one of `expected`. */
export const putPolicy = verb({
  route: ROUTES.putPolicy,
  parse: ({ params: { slug }, body, expected }) => {
    if (!isPolicySlug(slug))
      throw new DomainError(
        'invalid_request',
        'A policy’s name in the path is 1 to 64 of a-z, 0-9, `-`, `_`, the first a letter or digit.',
      );
    const parsed = parsePolicy(body, storedTextFault);
    if (!parsed.ok) throw new DomainError('invalid_request', faultsMessage(parsed.error));
    return { slug, expected, document: JSON.stringify(parsed.value) };
  },
  run: async ({ deps, organisationId, traceId, authorized: { key } }, { slug, expected, document }) => {
    const change = { operationId: traceId, slug, document, expected, author: authorOf(key) };
    const answer = await askObject(deps.objects, organisationId).putPolicy(change);
    if (!answer.ok) throw refusalError(answer);
    return { policy: policyBody({ ...answer.saved, document }) };
  },
});

function refusalError(refused: PolicyRefused): DomainError {
  if (refused.refusal === 'full') {
    const limit = `An account has up to ${POLICIES_MAX} policies`;
    return new DomainError(
      'invalid_request',
      `${limit}, and policies can’t be deleted: save this one under the name of one that you have stopped using.`,
    );
  }
  const { inForce } = refused;
  return new DomainError(
    'version_conflict',
    inForce === null
      ? 'No policy has this name: leave out `If-Match` to make it.'
      : `Version ${inForce} is in force: read it, then send \`If-Match: "${inForce}"\` to change that one.`,
  );
}
