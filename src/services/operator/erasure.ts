import type { Id } from '../../kernel/ids.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { forgetEvents } from '../../storage/postgres/feedback.ts';
import { forgetExposures } from '../../storage/postgres/insights/forget.ts';
import { deleteUsersOf } from '../../storage/postgres/organisations.ts';
import { forgetRules } from '../../storage/postgres/rules.ts';
import { forgetScreenings } from '../../storage/postgres/screening.ts';
import { forgetTraces } from '../../storage/postgres/traces.ts';

/** An address within an organisation: its keyed hash there. */
export interface HashedAddress {
  readonly organisationId: Id<'org'>;
  readonly hash: string;
}

/** Cuts addresses off every row about them in Postgres; how many traces were theirs. Safe to repeat. */
export async function eraseRows(db: Database, hashes: readonly HashedAddress[]): Promise<number> {
  const traces = await forgetTraces(db, hashes);
  await forgetRules(db, hashes);
  await forgetScreenings(db, hashes);
  await forgetEvents(db, hashes);
  await forgetExposures(db, hashes);
  return traces;
}

export interface LateErasureDeps {
  readonly db: Database;
  readonly hashAddress: (organisationId: Id<'org'>, normalised: string) => string;
}

/** The same where only hashes are left of what was asked: users are told by the hash of their address. */
export async function eraseLateRows(
  { db, hashAddress }: LateErasureDeps,
  organisationId: Id<'org'>,
  hashes: readonly string[],
): Promise<void> {
  await eraseRows(
    db,
    hashes.map((hash) => ({ organisationId, hash })),
  );
  await deleteUsersOf(db, organisationId, (email) => hashes.includes(hashAddress(organisationId, email)));
}
