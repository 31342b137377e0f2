import { organisationPrefix } from '../domain/bulk/job-record.ts';
import { failedDependency } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { type Erasure, askOperators } from '../organisation/api.ts';
import { type Database, isAnswering } from '../storage/postgres/client.ts';
import { deleteRowsOf, PROJECTED } from '../storage/postgres/erasure.ts';
import { forgetEvents, forgetReports } from '../storage/postgres/feedback.ts';
import { forgetExposures } from '../storage/postgres/insights/read.ts';
import { forgetMailReports } from '../storage/postgres/mail-reports.ts';
import * as directory from '../storage/postgres/organisations.ts';
import { deleteUsersOf } from '../storage/postgres/organisations.ts';
import { forgetRules } from '../storage/postgres/rules.ts';
import { forgetScreenings } from '../storage/postgres/screening.ts';
import { forgetTraces } from '../storage/postgres/traces.ts';
import { type Blobs, deletePrefix } from '../storage/r2.ts';
import type { OperationsDeps } from './operators.ts';
import { hashesOf } from './verification/observe.ts';

export interface HashedAddress {
  readonly organisationId: Id<'org'>;
  readonly hash: string;
}

/** Rows of each kind unlinked from addresses in Postgres. */
export interface ErasedRows {
  readonly traces: number;
  readonly rules: number;
  readonly screenings: number;
  readonly events: number;
  readonly reports: number;
  readonly exposures: number;
}
export const NO_ROWS: ErasedRows = { traces: 0, rules: 0, screenings: 0, events: 0, reports: 0, exposures: 0 };

const together = (one: ErasedRows, other: ErasedRows): ErasedRows => ({
  traces: one.traces + other.traces,
  rules: one.rules + other.rules,
  screenings: one.screenings + other.screenings,
  events: one.events + other.events,
  reports: one.reports + other.reports,
  exposures: one.exposures + other.exposures,
});

/** Unlinks addresses from all their rows in Postgres. Idempotent. */
async function eraseRows(db: Database, hashes: readonly HashedAddress[]): Promise<ErasedRows> {
  const traces = await forgetTraces(db, hashes);
  const rules = await forgetRules(db, hashes);
  const screenings = await forgetScreenings(db, hashes);
  const events = await forgetEvents(db, hashes);
  const reports = (await forgetReports(db, hashes)) + (await forgetMailReports(db, hashes));
  return { traces, rules, screenings, events, reports, exposures: await forgetExposures(db, hashes) };
}

interface LateErasureDeps {
  readonly db: Database;
  readonly hashAddress: (organisationId: Id<'org'>, normalised: string) => string;
  readonly earlierHashes: (organisationId: Id<'org'>, normalised: string) => readonly string[];
}

/** The number of rows, and the erased addresses. */
interface Erased {
  readonly rows: ErasedRows;
  readonly hashes: ReadonlySet<HashedAddress>;
}

/**
 * Erases all addresses at once. If that fails while Postgres answers, a statement took too long: then it erases one by
 * one, so that a large organisation delays no other. Stops when Postgres is away.
 */
export async function eraseEach(db: Database, hashes: readonly HashedAddress[]): Promise<Erased> {
  const whole = await unlessItFails(() => eraseRows(db, hashes));
  if (whole !== null || hashes.length <= 1)
    return { rows: whole ?? NO_ROWS, hashes: new Set(whole === null ? [] : hashes) };
  const erased = new Set<HashedAddress>();
  let rows = NO_ROWS;
  let isAway = !(await isAnswering(db));
  for (const hashed of hashes) {
    if (isAway) break;
    const own = await unlessItFails(() => eraseRows(db, [hashed]));
    if (own === null) isAway = !(await isAnswering(db));
    else erased.add(hashed);
    rows = together(rows, own ?? NO_ROWS);
  }
  return { rows, hashes: erased };
}

/** Null means Postgres failed. */
export async function unlessItFails<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (failedDependency(error) !== 'postgres') throw error;
    return null;
  }
}

/** Erases addresses known only by their hashes. Finds users by hashing their addresses. */
export async function eraseLateRows(
  { db, ...hashes }: LateErasureDeps,
  organisationId: Id<'org'>,
  erasures: readonly Erasure[],
): Promise<void> {
  await eraseRows(
    db,
    erasures.map(({ addressHash: hash }) => ({ organisationId, hash })),
  );
  const ofUsers = new Set(erasures.filter(({ keepsUsers }) => !keepsUsers).map(({ addressHash }) => addressHash));
  if (ofUsers.size > 0)
    await deleteUsersOf(db, organisationId, (email) =>
      hashesOf(hashes, organisationId, email).some((hash) => ofUsers.has(hash)),
    );
}

interface DeletionDeps {
  readonly db: Database;
  readonly objects: OperationsDeps;
  readonly kv: { delete(key: string): Promise<void> };
  readonly blobs: Pick<Blobs, 'list' | 'delete'>;
}

/**
 * Deletes all data of an organisation outside its object, which already has its tombstone. The directory's row goes
 * last: while it exists, the night finds the organisation and finishes an interrupted deletion.
 */
export async function deleteRemains({ db, objects, blobs }: DeletionDeps, id: Id<'org'>): Promise<void> {
  await deleteRowsOf(db, id);
  await deletePrefix(blobs, organisationPrefix(id));
  await askOperators(objects).dropOrganisation(id);
  await directory.deleteOrganisation(db, id);
  // Again: a running statement of the outbox may have written until the directory's row was gone.
  await deleteRowsOf(db, id, PROJECTED);
  // Again: a night may have read the directory's row before.
  await askOperators(objects).dropOrganisation(id);
}
