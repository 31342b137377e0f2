import type { ForgetRequest, ForgetResponse } from '../../contract/operator.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import type { Address } from '../../domain/address/types.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { DependencyError, DomainError } from '../../kernel/errors.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { callObject } from '../../organisation/api.ts';
import { forgetAcceptsAll } from '../../storage/accepts-all.ts';
import { forgetCompany } from '../../storage/companies.ts';
import { forgetDomainLabel } from '../../storage/domain-answers.ts';
import { forgetEvidence } from '../../storage/evidence.ts';
import type { Database } from '../../storage/postgres/client.ts';
import * as directory from '../../storage/postgres/organisations.ts';
import { forgetMailHosts } from '../verification/find-mail-hosts.ts';
import { type Erased, eraseEach, type HashedAddress, unlessItFails } from './erasure.ts';
import { knownOrganisations, type OperationsDeps } from './operators.ts';

export interface ForgetDeps {
  readonly db: Database;
  readonly objects: OperationsDeps;
  /** The keyed hash of a normalised address within an organisation. */
  hashAddress(organisationId: Id<'org'>, normalised: string): string;
  /** Where evidence about addresses is kept. */
  readonly kv: { delete(key: string): Promise<void> };
}

/** What all organisations share of a domain, which may be one person's: each finds it out again. */
const SHARED_FACTS = [forgetMailHosts, forgetAcceptsAll];

/** What each organisation has of its own, of the address and its domain. */
const OWN_FACTS = [forgetEvidence, forgetCompany, forgetDomainLabel];

/** Postgres is away, and is not asked again. */
const NONE_ERASED: Erased = { traces: 0, hashes: new Set() };

/** Organisations of one call, all asked at once: an invocation has 1,000 operations of KV. */
const PAGE = 100;
const OBJECT_TIMEOUT_MS = 20 * SECOND_MS;

/**
 * Cuts every link to an address, in a page of the organisations; `cursor` of the answer goes on with the next. Objects and caches
 * forget at once. What can't be done in Postgres now is left with the organisation's object, which does it as soon as its rows
 * are there. One out of reach is named and stops no other.
 */
export async function forgetAddress(
  deps: ForgetDeps,
  { email, cursor: after }: ForgetRequest,
): Promise<ForgetResponse> {
  const { db, objects } = deps;
  const { normalised, domain } = requireAddress(email);
  const { ids, cursor, fromDirectory } = await knownOrganisations(db, objects, {
    before: requireCursor(after),
    limit: PAGE,
  });
  // Before the rest: by the end of it an organisation would have no other sign that its users are still to go.
  const users = fromDirectory ? await unlessItFails(() => directory.deleteUsersByEmail(db, normalised)) : null;
  const found = await Promise.all(
    ids.map(async (organisationId) => {
      const hashed = { organisationId, hash: deps.hashAddress(organisationId, normalised) };
      return { hashed, ...(await forgetIn(deps, hashed, domain)) };
    }),
  );
  // An event that still waits in an object is told to be about the address by its trace alone: it has to be there first.
  const written = found.filter(({ isWritten }) => isWritten).map(({ hashed }) => hashed);
  const erased = users === null ? NONE_ERASED : await eraseEach(db, written);
  const ends = await Promise.all(
    found.map(async ({ hashed, isWhole, isGone }) => {
      const isErased = isGone || erased.hashes.has(hashed);
      const isLeft = isErased || (await eraseLater(deps, hashed));
      return { id: hashed.organisationId, isIncomplete: !(isWhole && isLeft), isPending: !isErased };
    }),
  );
  if (cursor === null) await forgetShared(deps, domain);
  return {
    forgotten: { traces: erased.traces, rules: found.reduce((sum, { rules }) => sum + rules, 0), users: users ?? 0 },
    pending: ends.filter(({ isIncomplete, isPending }) => isPending && !isIncomplete).map(({ id }) => id),
    incomplete: ends.filter(({ isIncomplete }) => isIncomplete).map(({ id }) => id),
    cursor,
  };
}

async function forgetShared({ kv }: ForgetDeps, domain: string): Promise<void> {
  await Promise.all(SHARED_FACTS.map((forgetFact) => forgetFact(kv, domain))).catch((cause) => {
    throw new DependencyError('kv', 'what is known of the domain could not be removed', { cause });
  });
}

/** What an organisation's object and the caches forget. */
interface ForgottenIn {
  readonly rules: number;
  /** Nothing of it failed. */
  readonly isWhole: boolean;
  /** All that the object held is in Postgres. */
  readonly isWritten: boolean;
  /** The organisation is deleted: its deletion sees to the rows. */
  readonly isGone: boolean;
}

async function forgetIn(
  { objects, kv }: ForgetDeps,
  { organisationId, hash }: HashedAddress,
  domain: string,
): Promise<ForgottenIn> {
  const forgotten = await callObject(objects, organisationId, 'forget', (stub) => stub.forget(hash), OBJECT_TIMEOUT_MS);
  const key = { organisationId, addressHash: hash, domain };
  const [own] = await Promise.allSettled([Promise.all(OWN_FACTS.map((forgetFact) => forgetFact(kv, key)))]);
  return {
    rules: forgotten.ok ? forgotten.value.rules : 0,
    isWhole: forgotten.ok && own.status === 'fulfilled',
    isWritten: forgotten.ok && forgotten.value.drained === true,
    isGone: forgotten.ok && forgotten.value.isGone === true,
  };
}

/** False: its object can't take it. */
async function eraseLater({ objects }: ForgetDeps, { organisationId, hash }: HashedAddress): Promise<boolean> {
  return (await callObject(objects, organisationId, 'eraseLater', (stub) => stub.eraseLater(hash))).ok;
}

export function requireAddress(email: string): Address {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new DomainError('invalid_request', '`email` is not an address.');
  return parsed.address;
}

export function requireCursor(cursor: string | undefined): Id<'org'> | null {
  const before = cursor === undefined ? null : parseId('org', cursor);
  if (cursor !== undefined && before === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
  return before;
}
