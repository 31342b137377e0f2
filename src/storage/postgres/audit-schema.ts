import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { AuditLine } from '../../domain/access/audit.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Holds, time } from './columns.ts';

/** Who changed what: a copy of the organisations' own logs, which an object that was lost gets back. */
export const auditLine = pgTable(
  'audit_line',
  {
    id: text('id').$type<Id<'au'>>().primaryKey(),
    organisationId: text('organisation_id').$type<Id<'org'>>().notNull(),
    at: time('at').notNull(),
    actor: text('actor').$type<AuditLine['actor']>().notNull(),
    action: text('action').$type<AuditLine['action']>().notNull(),
    target: text('target').notNull(),
    summary: text('summary').notNull(),
    entries: integer('entries'),
  },
  (table) => [index('audit_line_organisation').on(table.organisationId, table.id), index('audit_line_at').on(table.at)],
) satisfies Holds<AuditLine>;
