import { desc, eq, sql } from 'drizzle-orm';
import type { Usage } from '../../domain/metering/usage.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireAtMost } from './answer.ts';
import type { Database } from './client.ts';
import { excluded } from './columns.ts';
import { usageMonth } from './schema.ts';

/** A month's counts as the outbox holds them. */
export type ProjectedUsage = Omit<typeof usageMonth.$inferSelect, 'month'>;

/** Writes absolute values, so that a repeat or a late write does no harm. */
export async function upsertUsage(db: Database, rows: readonly ProjectedUsage[]): Promise<void> {
  const newest = new Map<string, ProjectedUsage>();
  for (const row of rows) {
    const key = `${row.organisationId} ${row.usage.month}`;
    if (row.at >= (newest.get(key)?.at ?? 0)) newest.set(key, row);
  }
  const written = await db
    .insert(usageMonth)
    .values([...newest.values()].map((row) => ({ ...row, month: row.usage.month })))
    .onConflictDoUpdate({
      target: [usageMonth.organisationId, usageMonth.month],
      set: excluded(usageMonth, ['organisationId', 'month']),
      setWhere: sql`${usageMonth.at} <= excluded.at`,
    });
  requireAtMost(newest.size, written);
}

/** The newest month's counts of an organisation. */
export async function findUsage(db: Database, organisationId: Id<'org'>): Promise<Usage | null> {
  const rows = await db
    .select({ usage: usageMonth.usage })
    .from(usageMonth)
    .where(eq(usageMonth.organisationId, organisationId))
    .orderBy(desc(usageMonth.month))
    .limit(1);
  return rows[0]?.usage ?? null;
}

export async function deleteUsage(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(usageMonth).where(eq(usageMonth.organisationId, organisationId));
}
