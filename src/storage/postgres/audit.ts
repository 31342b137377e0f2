import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import { AUDIT_LIFETIME_MS, type AuditLine } from '../../domain/access/audit.ts';
import type { Id } from '../../kernel/ids.ts';
import { auditLine } from './audit-schema.ts';
import type { Database } from './client.ts';
import { jsonColumns } from './columns.ts';

const LINE = jsonColumns(auditLine, ['organisationId']);

/** Writes lines of an organisation's log; one that counts entries replaces its earlier count. Safe to repeat. */
export async function writeAudit(db: Database, organisationId: Id<'org'>, lines: readonly AuditLine[]): Promise<void> {
  await db.execute(sql`
    insert into audit_line (organisation_id, ${LINE.names})
    select ${organisationId}, ${LINE.values} from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line(${LINE.fields})
    on conflict (id) do update set ${LINE.updates}`);
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
