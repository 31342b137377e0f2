import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Id } from '../../kernel/ids.ts';
import { amount } from './columns.ts';

/** Live traces and screenings by UTC day and what they are about, counted as they are written. Kept as long as they are. */
export const usageDay = pgTable(
  'usage_day',
  {
    organisationId: text('organisation_id').$type<Id<'org'>>().notNull(),
    /** Days since 1970. */
    day: integer('day').notNull(),
    /** Empty: the object was out of reach, so the key is not known. */
    keyId: text('key_id').notNull(),
    /** A trace's kind, or `screen`. */
    kind: text('kind').notNull(),
    recommendation: text('recommendation').notNull(),
    /** Empty: no policy decided. */
    decision: text('decision').notNull(),
    calls: bigint('calls', { mode: 'number' }).notNull(),
    costMicros: amount('cost_micros').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'usage_day_cell',
      columns: [table.organisationId, table.day, table.keyId, table.kind, table.recommendation, table.decision],
    }),
  ],
);
