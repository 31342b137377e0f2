import { failedDependency } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Database, isAnswering } from '../../storage/postgres/client.ts';
import { forgetEvents, forgetReports } from '../../storage/postgres/feedback.ts';
import { forgetExposures } from '../../storage/postgres/insights/forget.ts';
import { forgetMailReports } from '../../storage/postgres/mail-reports.ts';
import { deleteUsersOf } from '../../storage/postgres/organisations.ts';
import { forgetRules } from '../../storage/postgres/rules.ts';
import { forgetScreenings } from '../../storage/postgres/screening.ts';
import { forgetTraces } from '../../storage/postgres/traces.ts';

export interface HashedAddress {
  readonly organisationId: Id<'org'>;
  readonly hash: string;
}

/** Cuts addresses off all rows about them in Postgres, and tells how many traces those were. Safe to repeat. */
async function eraseRows(db: Database, hashes: readonly HashedAddress[]): Promise<number> {
  const traces = await forgetTraces(db, hashes);
  await forgetRules(db, hashes);
  await forgetScreenings(db, hashes);
  await forgetEvents(db, hashes);
  await forgetReports(db, hashes);
  await forgetMailReports(db, hashes);
  await forgetExposures(db, hashes);
  return traces;
}

export interface LateErasureDeps {
  readonly db: Database;
  readonly hashAddress: (organisationId: Id<'org'>, normalised: string) => string;
}

/** The number of traces, and the addresses that are erased. */
export interface Erased {
  readonly traces: number;
  readonly hashes: ReadonlySet<HashedAddress>;
}

/**
 * Erases all addresses at once. Where that fails while Postgres answers, a statement took too long: then it erases one by one,
 * so that one large organisation delays no other. Stops when Postgres is away.
 */
export async function eraseEach(db: Database, hashes: readonly HashedAddress[]): Promise<Erased> {
  const whole = await unlessItFails(() => eraseRows(db, hashes));
  if (whole !== null || hashes.length <= 1)
    return { traces: whole ?? 0, hashes: new Set(whole === null ? [] : hashes) };
  const erased = new Set<HashedAddress>();
  let traces = 0;
  let isAway = !(await isAnswering(db));
  for (const hashed of hashes) {
    if (isAway) break;
    const own = await unlessItFails(() => eraseRows(db, [hashed]));
    if (own === null) isAway = !(await isAnswering(db));
    else erased.add(hashed);
    traces += own ?? 0;
  }
  return { traces, hashes: erased };
}

/** Null: Postgres failed. */
export async function unlessItFails<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    return null;
  }
}

/** Erases addresses of which only the hashes are left. It finds users by hashing their addresses. */
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
