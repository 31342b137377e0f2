import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { PolicyVersion, ProjectedPolicy } from '../../domain/policy/policy-records.ts';
import type { LossesVersion, ProjectedLosses } from '../../domain/verification/losses.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireAtMost } from './answer.ts';
import type { Database } from './client.ts';
import { losses, policy } from './schema.ts';

/** Enters versions of policies; existing ones stay as they are. */
export async function insertPolicies(db: Database, versions: readonly ProjectedPolicy[]): Promise<void> {
  const written = await db
    .insert(policy)
    .values([...versions])
    .onConflictDoNothing();
  requireAtMost(versions.length, written);
}

/** A page of an organisation's versions in a fixed order; `after`: the last of the page before. */
export async function listProjectedPolicies(
  db: Database,
  organisationId: Id<'org'>,
  limit: number,
  after: Pick<PolicyVersion, 'slug' | 'version'> | null,
): Promise<PolicyVersion[]> {
  const { organisationId: _, ...version } = getTableColumns(policy);
  return db
    .select(version)
    .from(policy)
    .where(
      and(
        eq(policy.organisationId, organisationId),
        after === null ? undefined : sql`(${policy.slug}, ${policy.version}) > (${after.slug}, ${after.version})`,
      ),
    )
    .orderBy(asc(policy.slug), asc(policy.version))
    .limit(limit);
}

/** Enters versions of losses; existing ones stay as they are. */
export async function insertLosses(db: Database, versions: readonly ProjectedLosses[]): Promise<void> {
  const written = await db
    .insert(losses)
    .values([...versions])
    .onConflictDoNothing();
  requireAtMost(versions.length, written);
}

/** A page of an organisation's versions, oldest first; `after`: the last of the page before. */
export async function listProjectedLosses(
  db: Database,
  organisationId: Id<'org'>,
  limit: number,
  after: Pick<LossesVersion, 'version'> | null,
): Promise<LossesVersion[]> {
  const { organisationId: _, ...version } = getTableColumns(losses);
  return db
    .select(version)
    .from(losses)
    .where(
      and(eq(losses.organisationId, organisationId), after === null ? undefined : gt(losses.version, after.version)),
    )
    .orderBy(asc(losses.version))
    .limit(limit);
}

/** Deletes an organisation's policies and losses. */
export async function deletePolicies(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(losses).where(eq(losses.organisationId, organisationId));
  await db.delete(policy).where(eq(policy.organisationId, organisationId));
}
