import type { ForgetResponse } from '../../contract/operator.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import type { Address } from '../../domain/address/types.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { DependencyError, DomainError, failedDependency } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { callObject } from '../../organisation/api.ts';
import { forgetAcceptsAll } from '../../storage/accepts-all.ts';
import { forgetCompany } from '../../storage/companies.ts';
import { forgetDomainLabel } from '../../storage/domain-answers.ts';
import { forgetEvidence } from '../../storage/evidence.ts';
import type { Database } from '../../storage/postgres/client.ts';
import * as directory from '../../storage/postgres/organisations.ts';
import { forgetMailHosts } from '../verification/find-mail-hosts.ts';
import { eraseRows, type HashedAddress } from './erasure.ts';
import { knownOrganisations, type OperationsDeps } from './operators.ts';

export interface ForgetDeps {
  readonly db: Database;
  readonly objects: OperationsDeps;
  /** The keyed hash of a normalised address within an organisation. */
  hashAddress(organisationId: Id<'org'>, normalised: string): string;
  /** Where evidence about addresses is kept. */
  readonly facts: { delete(key: string): Promise<void> };
}

/** What all organisations share of a domain, which may be one person's: each finds it out again. */
const SHARED_FACTS = [forgetMailHosts, forgetAcceptsAll, forgetCompany, forgetDomainLabel];

/** Objects asked at once. */
const PAGE = 100;
const OBJECT_TIMEOUT_MS = 20 * SECOND_MS;

/**
 * Cuts every link to an address, in all organisations. Objects and caches forget at once. What can't be done in Postgres now is
 * left with the organisation's object, which does it as soon as Postgres is back. One out of reach is named and stops no other.
 */
export async function forgetAddress(deps: ForgetDeps, email: string): Promise<ForgetResponse> {
  const { db, objects } = deps;
  const { normalised, domain } = requireAddress(email);
  const { ids, fromDirectory } = await knownOrganisations(db, objects);
  const isAway = { postgres: !fromDirectory };
  /** Null: Postgres is away, and is not asked again. */
  const inPostgres = async (work: () => Promise<number>): Promise<number | null> => {
    if (isAway.postgres) return null;
    try {
      return await work();
    } catch (error) {
      if (failedDependency(error) !== 'postgres') throw error;
      isAway.postgres = true;
      return null;
    }
  };
  // Before the rest: by the end of it an organisation would have no other sign that its users are still to go.
  const users = await inPostgres(() => directory.deleteUsersByEmail(db, normalised));
  const [incomplete, pending]: [string[], string[]] = [[], []];
  const forgotten = { traces: 0, rules: 0, users: users ?? 0 };
  for (let from = 0; from < ids.length; from += PAGE) {
    const hashes = ids
      .slice(from, from + PAGE)
      .map((organisationId) => ({ organisationId, hash: deps.hashAddress(organisationId, normalised) }));
    const found = await Promise.all(hashes.map((hashed) => forgetIn(deps, hashed, domain)));
    forgotten.rules += found.reduce((sum, { rules }) => sum + rules, 0);
    const traces = await inPostgres(() => eraseRows(db, hashes));
    forgotten.traces += traces ?? 0;
    const ends = await Promise.all(
      hashes.map(async (hashed, place) => {
        const { isWhole = false, isWritten = false, isGone = false } = found[place] ?? {};
        const isDone = isGone || (traces !== null && isWritten);
        if (!isWhole) return 'incomplete';
        return isDone ? 'done' : eraseLater(deps, hashed);
      }),
    );
    incomplete.push(...hashes.filter((_, place) => ends[place] === 'incomplete').map((each) => each.organisationId));
    pending.push(...hashes.filter((_, place) => ends[place] === 'pending').map((each) => each.organisationId));
  }
  await Promise.all(SHARED_FACTS.map((forgetFact) => forgetFact(deps.facts, domain))).catch((cause) => {
    throw new DependencyError('kv', 'what is known of the domain could not be removed', { cause });
  });
  return { forgotten, pending, incomplete };
}

/** What an organisation's object and the caches forget. */
interface ForgottenIn {
  readonly rules: number;
  /** Nothing of it failed. */
  readonly isWhole: boolean;
  /** All that the object held is in Postgres. */
  readonly isWritten: boolean;
  /** The organisation is deleted, or its object is empty. */
  readonly isGone: boolean;
}

/** What the object holds is written last: what it forgets, the removal of a rule, names the address on its way to Postgres. */
async function forgetIn(
  { objects, facts }: ForgetDeps,
  { organisationId, hash }: HashedAddress,
  domain: string,
): Promise<ForgottenIn> {
  const forgotten = await callObject(objects, organisationId, 'forget', (stub) => stub.forget(hash), OBJECT_TIMEOUT_MS);
  const flushed = await callObject(objects, organisationId, 'flush', (stub) => stub.flush(null), OBJECT_TIMEOUT_MS);
  const [evidence] = await Promise.allSettled([forgetEvidence(facts, { organisationId, addressHash: hash, domain })]);
  return {
    rules: forgotten.ok ? forgotten.value.rules : 0,
    isWhole: flushed.ok && forgotten.ok && evidence.status === 'fulfilled',
    isWritten: flushed.ok && flushed.value.drained,
    isGone: forgotten.ok && forgotten.value.isGone === true,
  };
}

async function eraseLater(
  { objects }: ForgetDeps,
  { organisationId, hash }: HashedAddress,
): Promise<'pending' | 'incomplete'> {
  const left = await callObject(objects, organisationId, 'eraseLater', (stub) => stub.eraseLater(hash));
  return left.ok ? 'pending' : 'incomplete';
}

export function requireAddress(email: string): Address {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new DomainError('invalid_request', '`email` is not an address.');
  return parsed.address;
}
