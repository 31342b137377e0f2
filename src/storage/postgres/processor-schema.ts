import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Id } from '../../kernel/ids.ts';
import { time } from './columns.ts';

/**
 * A payment processor whose webhooks become events. Its secrets are sealed, so that Postgres alone can't forge a webhook.
 */
export const processorConnection = pgTable(
  'processor_connection',
  {
    id: text('id').$type<Id<'con'>>().primaryKey(),
    organisationId: text('organisation_id').$type<Id<'org'>>().notNull(),
    kind: text('kind').notNull(),
    secrets: text('secrets').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('processor_connection_organisation').on(table.organisationId)],
);

/**
 * The address of a processor's customer or charge, both as keyed hashes, learnt from webhooks that name id and address.
 */
export const processorReference = pgTable(
  'processor_reference',
  {
    connectionId: text('connection_id').$type<Id<'con'>>().notNull(),
    reference: text('reference').notNull(),
    organisationId: text('organisation_id').$type<Id<'org'>>().notNull(),
    addressHash: text('address_hash').notNull(),
    seenAt: time('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.reference] }),
    index('processor_reference_address').on(table.addressHash),
    index('processor_reference_seen').on(table.seenAt),
  ],
);
