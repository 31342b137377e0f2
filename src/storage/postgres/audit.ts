import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { AUDIT_LIFETIME_MS, type AuditLine } from '../../domain/access/audit.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireAtMost } from './answer.ts';
import { auditLine } from './audit-schema.ts';
import type { Database } from './client.ts';
import { jsonColumns, newestOf } from './columns.ts';

/** A line on its way to Postgres. */
export interface ProjectedAuditLine extends AuditLine {
  readonly organisationId: Id<'org'>;
}

const LINE = jsonColumns(auditLine, []);

/** Enters lines of organisations' logs; one that counts entries has its highest count. */
export async function insertAudit(db: Database, lines: readonly ProjectedAuditLine[]): Promise<void> {
  const newest = newestOf(lines, ({ id }) => id);
  const written = await db.execute(sql`
    insert into audit_line (${LINE.names})
    select ${LINE.values} from jsonb_to_recordset(${JSON.stringify(newest)}::jsonb) as line(${LINE.fields})
    on conflict (id) do update set entries = greatest(audit_line.entries, excluded.entries)`);
  requireAtMost(newest.length, written);
}

/** A page of the log, oldest first; `after`: the last id of the page before. */
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

/** Deletes lines whose time is over; returns how many. */
export async function deleteExpiredAudit(db: Database, now: number): Promise<number> {
  const rows = await db
    .delete(auditLine)
    .where(lt(auditLine.at, now - AUDIT_LIFETIME_MS))
    .returning({ id: auditLine.id });
  return rows.length;
}

export async function deleteAudit(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(auditLine).where(eq(auditLine.organisationId, organisationId));
}
