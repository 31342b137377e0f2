import type { ErasureReceipt } from '../contract/privacy.ts';
import { ROUTES } from '../contract/routes.ts';
import { authorOf } from '../domain/access/keys.ts';
import type { Address } from '../domain/address/parse.ts';
import { seenUnder } from '../domain/mailbox-provider/back-ends.ts';
import { FREE_AFTER } from '../domain/privacy/data-handling.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { DependencyError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { askObject, callObject, type Forgotten, type ObjectDeps } from '../organisation/api.ts';
import { forgetDomain, forgetOwnFacts } from '../storage/domain-facts.ts';
import { forgetSights } from '../storage/postgres/lists.ts';
import { findSuppressed, suppressAddress, unsuppressAddress } from '../storage/postgres/mail-reports.ts';
import { deletePeopleByEmail, deleteSignIn, deleteUnusedSignIn } from '../storage/postgres/members.ts';
import * as directory from '../storage/postgres/organisations.ts';
import { noteChange } from './audit.ts';
import type { Deps } from './deps.ts';
import { type ErasedRows, eraseEach, type HashedAddress, NO_ROWS, unlessItFails } from './erasure.ts';
import { knownOrganisations } from './operators.ts';
import { readCursor, requireAddress } from './request-values.ts';
import { verb } from './verb.ts';
import { hashesOf } from './verification/observe.ts';

/**
 * Erases everything that the account has under an address's hash. The organisation's own users with the address stay. A
 * repeat does what is left.
 */
export const forgetAddress = verb({
  route: ROUTES.forgetAddress,
  parse: ({ body }) => ({ address: requireAddress(body.email), suppress: body.suppress }),
  run: async ({ deps, organisationId, authorized }, { address, suppress }): Promise<ErasureReceipt> => {
    const { db } = deps;
    const now = deps.now();
    const hash = deps.hashAddress(organisationId, address.normalised);
    const hashes = [hash, ...deps.earlierHashes(organisationId, address.normalised)];
    // First, so that nothing returns after the erasure.
    if (suppress === true) await suppressAddress(db, organisationId, hash, now);
    if (suppress === false) await unsuppressAddress(db, organisationId, hashes);
    const options = { keepsUsers: true, hasPostgres: true };
    const { rows, organisations } = await eraseAddress(deps, address, [organisationId], options);
    const [erased] = organisations;
    if (erased === undefined || erased.isIncomplete)
      throw new DependencyError('object', 'what the object or KV holds of an address could not be removed');
    // The log omits the address.
    await noteChange(deps, organisationId, authorOf(authorized.key), 'address.forgotten', organisationId);
    const { isPending, object } = erased;
    const kept = await keptOf(deps, organisationId, address.normalised);
    // The receipt does not reveal whether there was such an account: it does not concern this organisation.
    if (kept.length === 0) await unlessItFails(() => deleteUnusedSignIn(db, address.normalised, now));
    // While Postgres is away only this request's suppression is known.
    const suppressed = isPending ? suppress === true : (await findSuppressed(db, organisationId, hashes)).size > 0;
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

/** What stays on purpose: the account's own member with the address, or its invitation. */
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

/** What the organisation's object dropped, by kind. */
type ErasedFromObject = Omit<Forgotten, 'drained' | 'isGone'>;

interface ErasedIn {
  readonly organisationId: Id<'org'>;
  readonly object: ErasedFromObject;
  /** The object or KV was unreachable: the call must be repeated. */
  readonly isIncomplete: boolean;
  /** The object erases the rows in Postgres as soon as it can. */
  readonly isPending: boolean;
}

/**
 * Cuts every link to an address in these organisations. Objects and caches forget at once; an object finishes later
 * what Postgres can't do now. Idempotent, also after partial failure.
 * @param hasPostgres false: Postgres is known to be away
 */
async function eraseAddress(
  deps: Pick<Deps, 'db' | 'objects' | 'kv' | 'hashAddress' | 'earlierHashes'>,
  { normalised, domain }: Pick<Address, 'normalised' | 'domain'>,
  organisationIds: readonly Id<'org'>[],
  { keepsUsers, hasPostgres }: { readonly keepsUsers: boolean; readonly hasPostgres: boolean },
): Promise<{ readonly rows: ErasedRows; readonly organisations: readonly ErasedIn[] }> {
  const { db, objects } = deps;
  const found = await Promise.all(
    organisationIds.map(async (organisationId) => {
      const hashed = hashesOf(deps, organisationId, normalised).map((hash) => ({ organisationId, hash }));
      return { organisationId, hashed, ...(await forgetIn(deps, organisationId, hashed, domain, keepsUsers)) };
    }),
  );
  // An event waiting in an object is linked to the address only through its trace, which must be written first.
  const written = found.filter(({ isWritten }) => isWritten).flatMap(({ hashed }) => hashed);
  const erased = hasPostgres ? await eraseEach(db, written) : { rows: NO_ROWS, hashes: new Set<HashedAddress>() };
  const organisations = await Promise.all(
    found.map(async ({ organisationId, hashed, object, isWhole, isGone }): Promise<ErasedIn> => {
      const isErased = isGone || hashed.every((each) => erased.hashes.has(each));
      const settled = isGone
        ? []
        : await Promise.all(hashed.map((each) => settle(objects, each, isErased, keepsUsers)));
      const isLeft = settled.every(Boolean);
      return { organisationId, object, isIncomplete: !(isWhole && isLeft), isPending: !isErased };
    }),
  );
  return { rows: erased.rows, organisations };
}

/** Clears the object's erasure task, or leaves it the work. False: it does not know of it. */
async function settle(
  objects: ObjectDeps,
  { organisationId, hash }: HashedAddress,
  isErased: boolean,
  keepsUsers: boolean,
): Promise<boolean> {
  const object = callObject(objects, organisationId);
  if (!isErased) return (await object.eraseLater(hash, keepsUsers)).ok;
  // A remaining task erases once more.
  await object.erased(hash);
  return true;
}

interface ForgottenIn {
  readonly object: ErasedFromObject;
  /** Neither the object nor a cache failed. */
  readonly isWhole: boolean;
  readonly isWritten: boolean;
  /** The organisation is deleted, and its deletion takes the rows. */
  readonly isGone: boolean;
}

const NOTHING: ErasedFromObject = { rules: 0, answers: 0, histories: 0, reports: 0 };

/** One hash after the other: the first call moves what stands under the others. */
async function forgetIn(
  { objects, kv }: Pick<Deps, 'objects' | 'kv'>,
  organisationId: Id<'org'>,
  hashed: readonly HashedAddress[],
  domain: string,
  keepsUsers: boolean,
): Promise<ForgottenIn> {
  const all: ForgottenIn[] = [];
  for (const { hash } of hashed) {
    const asked = await callObject(objects, organisationId).forget(hash, keepsUsers);
    const { drained, isGone = false, ...object } = asked.ok ? asked.value : { ...NOTHING, drained: false };
    all.push({ object, isWhole: asked.ok, isWritten: drained, isGone });
  }
  const [own] = await Promise.allSettled([forgetOwnFacts(kv, { organisationId, domain })]);
  const sum = (of: keyof ErasedFromObject): number => all.reduce((total, { object }) => total + object[of], 0);
  return {
    object: { rules: sum('rules'), answers: sum('answers'), histories: sum('histories'), reports: sum('reports') },
    isWhole: own.status === 'fulfilled' && all.every(({ isWhole }) => isWhole),
    isWritten: all.every(({ isWritten }) => isWritten),
    isGone: all.some(({ isGone }) => isGone),
  };
}

/** Organisations of one call, all asked at once. An invocation may call KV 1,000 times. */
const PAGE = 100;

/**
 * Cuts every link to an address in a page of the organisations; the answer's `cursor` continues. Objects and caches
 * forget at once. What Postgres can't do now is left to the organisation's object. An unreachable organisation is named
 * and stops no other.
 */
export const forgetPerson = verb({
  route: ROUTES.forget,
  parse: ({ body: { email, cursor } }) => ({ ...requireAddress(email), before: readCursor(cursor, 'org') }),
  run: async ({ deps }, { normalised, domain, before }) => {
    const { db, objects } = deps;
    const { ids, cursor, fromDirectory } = await knownOrganisations(db, objects, { before, limit: PAGE });
    // First: afterwards nothing else shows that an organisation's users are still to be deleted.
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
  // A domain may be one person's, so its shared facts are deleted too.
  await forgetDomain(kv, domain).catch((cause) => {
    throw new DependencyError('kv', 'what is known of the domain could not be removed', { cause });
  });
  // While Postgres is away the domain's sightings stay, and expire 90 days after the last.
  if (hasPostgres) await unlessItFails(() => forgetSights(db, seenUnder(domain)));
}
