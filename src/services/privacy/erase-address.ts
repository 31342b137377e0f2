import type { Address } from '../../domain/address/types.ts';
import type { Id } from '../../kernel/ids.ts';
import { callObject, type Forgotten, type ObjectDeps } from '../../organisation/api.ts';
import { forgetOwnFacts } from '../../storage/own-domain-facts.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { type ErasedRows, eraseEach, type HashedAddress, NO_ROWS } from './erase-rows.ts';

export interface ErasureDeps {
  readonly db: Database;
  readonly objects: ObjectDeps;
  readonly kv: { delete(key: string): Promise<void> };
  readonly hashAddress: (organisationId: Id<'org'>, normalised: string) => string;
}

/** What the organisation's object dropped. */
export interface ErasedFromObject {
  readonly rules: number;
  readonly answers: number;
  readonly histories: number;
  readonly reports: number;
}

/** What became of an address in one organisation. */
export interface ErasedIn {
  readonly organisationId: Id<'org'>;
  readonly object: ErasedFromObject;
  /** The object or KV was out of reach: the call is to be repeated. */
  readonly isIncomplete: boolean;
  /** The object erases the rows in Postgres as soon as it can. */
  readonly isPending: boolean;
}

/**
 * Cuts every link to an address in these organisations. Objects and caches forget at once. What Postgres can't do now stays with
 * the organisation's object, which does it as soon as its rows are there. Safe to repeat, whatever part of it failed.
 * @param hasPostgres false: Postgres is known to be away
 */
export async function eraseAddress(
  deps: ErasureDeps,
  { normalised, domain }: Pick<Address, 'normalised' | 'domain'>,
  organisationIds: readonly Id<'org'>[],
  { keepsUsers, hasPostgres }: { readonly keepsUsers: boolean; readonly hasPostgres: boolean },
): Promise<{ readonly rows: ErasedRows; readonly organisations: readonly ErasedIn[] }> {
  const { db, objects } = deps;
  const found = await Promise.all(
    organisationIds.map(async (organisationId) => {
      const hashed = { organisationId, hash: deps.hashAddress(organisationId, normalised) };
      return { hashed, ...(await forgetIn(deps, hashed, domain, keepsUsers)) };
    }),
  );
  // An event that waits in an object is known to be about the address by its trace alone: the trace has to be written first.
  const written = found.filter(({ isWritten }) => isWritten).map(({ hashed }) => hashed);
  const erased = hasPostgres ? await eraseEach(db, written) : { rows: NO_ROWS, hashes: new Set<HashedAddress>() };
  const organisations = await Promise.all(
    found.map(async ({ hashed, object, isWhole, isGone }): Promise<ErasedIn> => {
      const { organisationId } = hashed;
      const isErased = isGone || erased.hashes.has(hashed);
      const isLeft = isGone || (await settle(objects, hashed, isErased, keepsUsers));
      return { organisationId, object, isIncomplete: !(isWhole && isLeft), isPending: !isErased };
    }),
  );
  return { rows: erased.rows, organisations };
}

/** Takes back the object's note of the erasure, or has the object do it. False: it does not know of it. */
async function settle(
  objects: ObjectDeps,
  { organisationId, hash }: HashedAddress,
  isErased: boolean,
  keepsUsers: boolean,
): Promise<boolean> {
  const object = callObject(objects, organisationId);
  if (!isErased) return (await object.eraseLater(hash, keepsUsers)).ok;
  // A note that is left erases once more.
  await object.erased(hash);
  return true;
}

interface ForgottenIn {
  readonly object: ErasedFromObject;
  /** Neither the object nor a cache failed. */
  readonly isWhole: boolean;
  /** All that the object held is in Postgres. */
  readonly isWritten: boolean;
  /** The organisation is deleted, and its deletion takes the rows. */
  readonly isGone: boolean;
}

async function forgetIn(
  { objects, kv }: Pick<ErasureDeps, 'objects' | 'kv'>,
  { organisationId, hash }: HashedAddress,
  domain: string,
  keepsUsers: boolean,
): Promise<ForgottenIn> {
  const asked = await callObject(objects, organisationId).forget(hash, keepsUsers);
  const [own] = await Promise.allSettled([forgetOwnFacts(kv, { organisationId, domain })]);
  const nothing: Forgotten = { rules: 0, answers: 0, histories: 0, reports: 0, drained: false };
  const { drained, isGone = false, ...object } = asked.ok ? asked.value : nothing;
  return {
    object,
    isWhole: asked.ok && own.status === 'fulfilled',
    isWritten: drained,
    isGone,
  };
}
