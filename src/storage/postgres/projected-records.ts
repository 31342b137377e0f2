import { and, asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import type { AuditLine, KeyRecord } from '../../domain/access/keys.ts';
import type { JobRecord, ProjectedJob } from '../../domain/bulk/job-record.ts';
import type { Usage } from '../../domain/metering/usage.ts';
import type { PolicyVersion, ProjectedPolicy } from '../../domain/policy/document.ts';
import type { LossesVersion, ProjectedLosses } from '../../domain/router/losses.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Database, requireAtMost } from './client.ts';
import { apiKey, auditLine, bulkJob, losses, policy, usageMonth } from './directory-schema.ts';
import { excluded, jsonColumns, newestOf } from './statements.ts';

export type ProjectedKey = KeyRecord & { readonly organisationId: Id<'org'> };

/** A key's constant fields, and its revocation, which is never undone. */
const UNCHANGING = [
  'id',
  'organisationId',
  'mode',
  'origin',
  'operator',
  'userId',
  'createdAt',
  'createdBy',
  'revokedAt',
] as const;

export async function upsertKeys(db: Database, keys: readonly ProjectedKey[]): Promise<void> {
  const rows = newestOf(keys, ({ id }) => id);
  const written = await db
    .insert(apiKey)
    .values(rows)
    .onConflictDoUpdate({
      target: apiKey.id,
      set: {
        ...excluded(apiKey, UNCHANGING),
        revokedAt: sql`coalesce(${apiKey.revokedAt}, excluded.revoked_at)`,
      },
    });
  requireAtMost(rows.length, written);
}

export async function listProjectedKeys(db: Database, organisationId: Id<'org'>): Promise<KeyRecord[]> {
  const rows = await db.select().from(apiKey).where(eq(apiKey.organisationId, organisationId));
  return rows.map(({ organisationId: _, ...key }) => key);
}

export interface ProjectedAuditLine extends AuditLine {
  readonly organisationId: Id<'org'>;
}

const LINE = jsonColumns(auditLine, []);

/** Inserts lines of organisations' logs; one that counts entries keeps its highest count. */
export async function insertAudit(db: Database, lines: readonly ProjectedAuditLine[]): Promise<void> {
  const newest = newestOf(lines, ({ id }) => id);
  const written = await db.execute(sql`
    insert into audit_line (${LINE.names})
    select ${LINE.values} from jsonb_to_recordset(${JSON.stringify(newest)}::jsonb) as line(${LINE.fields})
    on conflict (id) do update set entries = greatest(audit_line.entries, excluded.entries)`);
  requireAtMost(newest.length, written);
}

/** A page of the log, oldest first; `after`: the last id of the previous page. */
export async function listAuditLines(
  db: Database,
  organisationId: Id<'org'>,
  limit: number,
  after: Id<'au'> | null,
): Promise<AuditLine[]> {
  const rows = await db
    .select()
    .from(auditLine)
    .where(and(eq(auditLine.organisationId, organisationId), after === null ? undefined : gt(auditLine.id, after)))
    .orderBy(asc(auditLine.id))
    .limit(limit);
  return rows.map(({ organisationId: _, ...line }) => line);
}

export type ProjectedUsage = Omit<typeof usageMonth.$inferSelect, 'month'>;

/** Writes absolute values, so that a repeat or a late write does no harm. */
export async function upsertUsage(db: Database, rows: readonly ProjectedUsage[]): Promise<void> {
  const newest = newestOf(
    rows,
    ({ organisationId, usage }) => `${organisationId} ${usage.month}`,
    ({ at }) => at,
  );
  const written = await db
    .insert(usageMonth)
    .values(newest.map((row) => ({ ...row, month: row.usage.month })))
    .onConflictDoUpdate({
      target: [usageMonth.organisationId, usageMonth.month],
      set: excluded(usageMonth, ['organisationId', 'month']),
      setWhere: sql`${usageMonth.at} <= excluded.at`,
    });
  requireAtMost(newest.length, written);
}

/** An organisation's counts of the newest month. */
export async function findUsage(db: Database, organisationId: Id<'org'>): Promise<Usage | null> {
  const rows = await db
    .select({ usage: usageMonth.usage })
    .from(usageMonth)
    .where(eq(usageMonth.organisationId, organisationId))
    .orderBy(desc(usageMonth.month))
    .limit(1);
  return rows[0]?.usage ?? null;
}

/** Existing versions stay. */
export async function insertPolicies(db: Database, versions: readonly ProjectedPolicy[]): Promise<void> {
  const written = await db
    .insert(policy)
    .values([...versions])
    .onConflictDoNothing();
  requireAtMost(versions.length, written);
}

/** A page of an organisation's versions in a fixed order; `after`: the last of the previous page. */
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

/** Existing versions stay. */
export async function insertLosses(db: Database, versions: readonly ProjectedLosses[]): Promise<void> {
  const written = await db
    .insert(losses)
    .values([...versions])
    .onConflictDoNothing();
  requireAtMost(versions.length, written);
}

/** A page of an organisation's versions, oldest first; `after`: the last of the previous page. */
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

/** Inserts or updates jobs; an older version changes nothing. */
export async function upsertJobs(db: Database, jobs: readonly ProjectedJob[]): Promise<void> {
  const newest = newestOf(
    jobs,
    ({ record }) => record.job.id,
    ({ version }) => version,
  );
  const written = await db
    .insert(bulkJob)
    .values(newest.map(({ record, ...rest }) => ({ ...rest, id: record.job.id, record })))
    .onConflictDoUpdate({
      target: [bulkJob.organisationId, bulkJob.id],
      set: excluded(bulkJob, ['organisationId', 'id']),
      setWhere: sql`${bulkJob.version} < excluded.version`,
    });
  requireAtMost(newest.length, written);
}

export async function listProjectedJobs(
  db: Database,
  organisationId: Id<'org'>,
): Promise<{ readonly version: number; readonly record: JobRecord }[]> {
  const rows = await db.select().from(bulkJob).where(eq(bulkJob.organisationId, organisationId));
  return rows.map(({ version, record }) => ({ version, record }));
}
