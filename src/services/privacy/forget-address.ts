import type { ErasureReceipt } from '../../contract/privacy.ts';
import { ROUTES } from '../../contract/routes.ts';
import { FREE_AFTER } from '../../domain/privacy/kept.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { DependencyError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { deleteUnusedSignIn } from '../../storage/postgres/members.ts';
import { findSuppressed, suppressAddress, unsuppressAddress } from '../../storage/postgres/suppressed.ts';
import type { Deps } from '../deps.ts';
import { requireAddress } from '../require-address.ts';
import { verb } from '../verb.ts';
import { audited } from './audited.ts';
import { eraseAddress } from './erase-address.ts';
import { unlessItFails } from './erase-rows.ts';

/**
 * Erases all that the account has under an address's hash. The organisation's own users with the address stay. A repeat does what
 * is left.
 */
export const forgetAddress = verb({
  route: ROUTES.forgetAddress,
  parse: ({ body }) => ({ address: requireAddress(body.email), suppress: body.suppress }),
  run: async ({ deps, organisationId, admitted }, { address, suppress }): Promise<ErasureReceipt> => {
    const { db } = deps;
    const now = deps.now();
    const hash = deps.hashAddress(organisationId, address.normalised);
    // First, so that nothing comes back behind the erasure.
    if (suppress === true) await suppressAddress(db, organisationId, hash, now);
    if (suppress === false) await unsuppressAddress(db, organisationId, hash);
    const options = { keepsUsers: true, hasPostgres: true };
    const { rows, organisations } = await eraseAddress(deps, address, [organisationId], options);
    const [erased] = organisations;
    if (erased === undefined || erased.isIncomplete)
      throw new DependencyError('object', 'what the object or KV holds of an address could not be removed');
    await audited(deps.objects, organisationId, admitted.key, 'address.forgotten');
    const { isPending, object } = erased;
    const kept = await keptOf(deps, organisationId, address.normalised);
    // Whether there was such an account the receipt does not say: it is none of this organisation's business.
    if (kept.length === 0) await unlessItFails(() => deleteUnusedSignIn(db, address.normalised, now));
    // While Postgres is away only what was asked for just now is known.
    const suppressed = isPending ? suppress === true : (await findSuppressed(db, organisationId, [hash])).has(hash);
    const freeAfter = (ms: number): number => epochSeconds(now + ms);
    return {
      status: isPending ? 'pending' : 'done',
      at: freeAfter(0),
      suppressed,
      kept,
      stores: [
        { store: 'object', removed: { ...object }, free_by: freeAfter(0) },
        { store: 'postgres', removed: { ...rows }, free_by: isPending ? null : freeAfter(0) },
        { store: 'caches', removed: {}, free_by: freeAfter(FREE_AFTER.cachesMs) },
        { store: 'bulk_files', removed: {}, free_by: freeAfter(FREE_AFTER.bulkFilesMs) },
        { store: 'restore_points', removed: {}, free_by: freeAfter(FREE_AFTER.restorePointsMs) },
      ],
    };
  },
});

/** What stays of the address on purpose: the account's own member with it, or the invitation that the account has sent there. */
async function keptOf(
  { objects }: Pick<Deps, 'objects'>,
  organisationId: Id<'org'>,
  email: string,
): Promise<ErasureReceipt['kept']> {
  const [members, invitations] = await Promise.all([
    askObject(objects, organisationId).listMembers(),
    askObject(objects, organisationId).listInvitations(),
  ]);
  const isTheirs = (one: { readonly email: string }): boolean => one.email === email;
  return [
    ...(members.some(isTheirs) ? (['member'] as const) : []),
    ...(invitations.some(isTheirs) ? (['invitation'] as const) : []),
  ];
}
