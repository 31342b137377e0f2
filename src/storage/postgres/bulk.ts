import { eq, sql } from 'drizzle-orm';
import type { JobRecord, ProjectedJob } from '../../domain/bulk/job-record.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireAtMost } from './answer.ts';
import type { Database } from './client.ts';
import { excluded } from './columns.ts';
import { bulkJob } from './schema.ts';

/** Enters jobs or brings them up to date; an older version changes nothing. */
export async function upsertJobs(db: Database, jobs: readonly ProjectedJob[]): Promise<void> {
  const newest = new Map<string, ProjectedJob>();
  for (const each of jobs) {
    if (each.version >= (newest.get(each.record.job.id)?.version ?? 0)) newest.set(each.record.job.id, each);
  }
  const written = await db
    .insert(bulkJob)
    .values([...newest.values()].map(({ record, ...rest }) => ({ ...rest, id: record.job.id, record })))
    .onConflictDoUpdate({
      target: [bulkJob.organisationId, bulkJob.id],
      set: excluded(bulkJob, ['organisationId', 'id']),
      setWhere: sql`${bulkJob.version} < excluded.version`,
    });
  requireAtMost(newest.size, written);
}

export async function listProjectedJobs(
  db: Database,
  organisationId: Id<'org'>,
): Promise<{ readonly version: number; readonly record: JobRecord }[]> {
  const rows = await db.select().from(bulkJob).where(eq(bulkJob.organisationId, organisationId));
  return rows.map(({ version, record }) => ({ version, record }));
}

export async function deleteJobs(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(bulkJob).where(eq(bulkJob.organisationId, organisationId));
}
