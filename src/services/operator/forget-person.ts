import { ROUTES } from '../../contract/routes.ts';
import { seenUnder } from '../../domain/mailbox-provider/back-ends.ts';
import { DependencyError } from '../../kernel/errors.ts';
import { callObject } from '../../organisation/api.ts';
import { forgetAcceptsAll } from '../../storage/accepts-all.ts';
import { forgetCompany } from '../../storage/companies.ts';
import { forgetDomainLabel } from '../../storage/domain-answers.ts';
import { forgetEvidence } from '../../storage/evidence.ts';
import { forgetMailHosts } from '../../storage/mail-hosts.ts';
import { forgetSights } from '../../storage/postgres/back-ends.ts';
import * as directory from '../../storage/postgres/organisations.ts';
import type { Deps } from '../deps.ts';
import { readCursor } from '../paging.ts';
import { requireAddress } from '../require-address.ts';
import { verb } from '../verb.ts';
import { type Erased, eraseEach, type HashedAddress, unlessItFails } from './erase-rows.ts';
import { knownOrganisations } from './known-organisations.ts';

/** Facts about the domain that organisations share. A domain may be one person's, so they go too. */
const SHARED_FACTS = [forgetMailHosts, forgetAcceptsAll];

/** Facts about the address and its domain that each organisation has of its own. */
const OWN_FACTS = [forgetEvidence, forgetCompany, forgetDomainLabel];

/** The answer while Postgres is away. */
const NONE_ERASED: Erased = { traces: 0, hashes: new Set() };

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
    const found = await Promise.all(
      ids.map(async (organisationId) => {
        const hashed = { organisationId, hash: deps.hashAddress(organisationId, normalised) };
        return { hashed, ...(await forgetIn(deps, hashed, domain)) };
      }),
    );
    // An event that waits in an object is known to be about the address by its trace alone: the trace has to be written first.
    const written = found.filter(({ isWritten }) => isWritten).map(({ hashed }) => hashed);
    const erased = users === null ? NONE_ERASED : await eraseEach(db, written);
    const ends = await Promise.all(
      found.map(async ({ hashed, isWhole, isGone }) => {
        const isErased = isGone || erased.hashes.has(hashed);
        const isLeft = isErased || (await eraseLater(deps, hashed));
        return { id: hashed.organisationId, isIncomplete: !(isWhole && isLeft), isPending: !isErased };
      }),
    );
    if (cursor === null) await forgetShared(deps, domain, fromDirectory);
    return {
      forgotten: { traces: erased.traces, rules: found.reduce((sum, { rules }) => sum + rules, 0), users: users ?? 0 },
      pending: ends.filter(({ isIncomplete, isPending }) => isPending && !isIncomplete).map(({ id }) => id),
      incomplete: ends.filter(({ isIncomplete }) => isIncomplete).map(({ id }) => id),
      cursor,
    };
  },
});

async function forgetShared({ kv, db }: Pick<Deps, 'kv' | 'db'>, domain: string, hasPostgres: boolean): Promise<void> {
  await Promise.all(SHARED_FACTS.map((forgetFact) => forgetFact(kv, domain))).catch((cause) => {
    throw new DependencyError('kv', 'what is known of the domain could not be removed', { cause });
  });
  // While Postgres is away the sights of the domain are left, and end by themselves 90 days after the last.
  if (hasPostgres) await unlessItFails(() => forgetSights(db, seenUnder(domain)));
}

interface ForgottenIn {
  readonly rules: number;
  /** Neither the object nor a cache failed. */
  readonly isWhole: boolean;
  /** All that the object held is in Postgres. */
  readonly isWritten: boolean;
  /** The organisation is deleted, and its deletion takes the rows. */
  readonly isGone: boolean;
}

async function forgetIn(
  { objects, kv }: Pick<Deps, 'objects' | 'kv'>,
  { organisationId, hash }: HashedAddress,
  domain: string,
): Promise<ForgottenIn> {
  const forgotten = await callObject(objects, organisationId).forget(hash);
  const key = { organisationId, addressHash: hash, domain };
  const [own] = await Promise.allSettled([Promise.all(OWN_FACTS.map((forgetFact) => forgetFact(kv, key)))]);
  return {
    rules: forgotten.ok ? forgotten.value.rules : 0,
    isWhole: forgotten.ok && own.status === 'fulfilled',
    isWritten: forgotten.ok && forgotten.value.drained === true,
    isGone: forgotten.ok && forgotten.value.isGone === true,
  };
}

/** Leaves the rows to the organisation's object. False: the object is out of reach. */
async function eraseLater(
  { objects }: Pick<Deps, 'objects'>,
  { organisationId, hash }: HashedAddress,
): Promise<boolean> {
  return (await callObject(objects, organisationId).eraseLater(hash)).ok;
}
