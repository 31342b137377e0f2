import { ROUTES } from '../../contract/routes.ts';
import { seenUnder } from '../../domain/mailbox-provider/back-ends.ts';
import { DependencyError } from '../../kernel/errors.ts';
import { callObject } from '../../organisation/api.ts';
import { forgetDomain } from '../../storage/domain-facts.ts';
import { forgetSights } from '../../storage/postgres/back-ends.ts';
import { deletePeopleByEmail, deleteSignIn } from '../../storage/postgres/members.ts';
import * as directory from '../../storage/postgres/organisations.ts';
import type { Deps } from '../deps.ts';
import { readCursor } from '../paging.ts';
import { eraseAddress } from '../privacy/erase-address.ts';
import { unlessItFails } from '../privacy/erase-rows.ts';
import { requireAddress } from '../require-address.ts';
import { verb } from '../verb.ts';
import { knownOrganisations } from './known-organisations.ts';

/** Organisations of one call, all asked at once. An invocation may call KV 1,000 times. */
const PAGE = 100;

/**
 * Cuts every link to an address, in a page of the organisations; `cursor` of the answer goes on with the next. Objects and
 * caches forget at once. What Postgres can't do now stays with the organisation's object, which does it as soon as its rows
 * are there. An organisation out of reach is named and stops no other.
 */
export const forgetPerson = verb({
  route: ROUTES.forget,
  parse: ({ body: { email, cursor } }) => ({ ...requireAddress(email), before: readCursor(cursor, 'org') }),
  run: async ({ deps }, { normalised, domain, before }) => {
    const { db, objects } = deps;
    const { ids, cursor, fromDirectory } = await knownOrganisations(db, objects, { before, limit: PAGE });
    // First: once the rest is done, nothing else shows that an organisation's users are still to go.
    const users = fromDirectory ? await unlessItFails(() => directory.deleteUsersByEmail(db, normalised)) : null;
    const hasPostgres = users !== null;
    const { rows, organisations } = await eraseAddress(deps, { normalised, domain }, ids, {
      keepsUsers: false,
      hasPostgres,
    });
    const dropped = await Promise.all(
      ids.map(async (id) => (await callObject(objects, id).dropPerson({ email: normalised })).ok),
    );
    if (hasPostgres) await unlessItFails(() => deletePeopleByEmail(db, normalised));
    const undropped = new Set(ids.filter((_, place) => dropped[place] === false));
    if (cursor === null) await forgetShared(deps, domain, fromDirectory);
    // Last: until then the person is a member somewhere, and may sign in.
    if (hasPostgres && cursor === null) await unlessItFails(() => deleteSignIn(db, normalised));
    return {
      forgotten: {
        traces: rows.traces,
        rules: organisations.reduce((sum, { object }) => sum + object.rules, 0),
        users: users ?? 0,
      },
      pending: organisations
        .filter((each) => each.isPending && !each.isIncomplete && !undropped.has(each.organisationId))
        .map(({ organisationId }) => organisationId),
      incomplete: organisations
        .filter(({ organisationId, isIncomplete }) => isIncomplete || undropped.has(organisationId))
        .map(({ organisationId }) => organisationId),
      cursor,
    };
  },
});

async function forgetShared({ kv, db }: Pick<Deps, 'kv' | 'db'>, domain: string, hasPostgres: boolean): Promise<void> {
  // A domain may be one person's, so what organisations share of it goes too.
  await forgetDomain(kv, domain).catch((cause) => {
    throw new DependencyError('kv', 'what is known of the domain could not be removed', { cause });
  });
  // While Postgres is away the sights of the domain are left, and end by themselves 90 days after the last.
  if (hasPostgres) await unlessItFails(() => forgetSights(db, seenUnder(domain)));
}
