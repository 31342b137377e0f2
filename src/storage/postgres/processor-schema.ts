import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ConnectionKind } from '../../contract/connections.ts';
import type { DeliveryClass } from '../../domain/belief/facts.ts';
import type { HostClass } from '../../domain/belief/host-class.ts';
import type { MailEvent, MailOutcome } from '../../domain/feedback/outcomes.ts';
import type { Id } from '../../kernel/ids.ts';
import { organisationId, time } from './columns.ts';

/**
 * A payment processor whose webhooks become events, or a mail service whose webhooks become reports. Its secrets are sealed, so that Postgres alone can't forge a webhook.
 */
export const processorConnection = pgTable(
  'processor_connection',
  {
    id: text('id').$type<Id<'con'>>().primaryKey(),
    organisationId: organisationId(),
    kind: text('kind').$type<ConnectionKind>().notNull(),
    secrets: text('secrets').notNull(),
    createdAt: time('created_at').notNull(),
    /** Webhooks whose signature was bad or missing. */
    refused: integer('refused').notNull().default(0),
  },
  (table) => [index('processor_connection_organisation').on(table.organisationId)],
);

/** The address of a processor's customer or charge, both as keyed hashes, learnt from webhooks that name id and address. */
export const processorReference = pgTable(
  'processor_reference',
  {
    connectionId: text('connection_id').$type<Id<'con'>>().notNull(),
    reference: text('reference').notNull(),
    organisationId: organisationId(),
    addressHash: text('address_hash').notNull(),
    seenAt: time('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.reference] }),
    index('processor_reference_address').on(table.addressHash),
    index('processor_reference_seen').on(table.seenAt),
  ],
);

/** What became of a message, as a mail service or an import reported it: by its address alone, each report once. */
export const mailReport = pgTable(
  'mail_report',
  {
    organisationId: organisationId(),
    /** Made of the reporter's own id of the event, so that it is the same when the event comes again. */
    id: uuid('id').notNull(),
    /** The connection it came through; else an import. */
    source: text('source').$type<Id<'con'> | 'import'>().notNull(),
    addressHash: text('address_hash').notNull(),
    outcome: text('outcome').$type<MailOutcome>().notNull(),
    /** What it says about the mailbox; null means nothing. */
    class: text('class').$type<DeliveryClass>(),
    /** A bounce has a text, and it is inconclusive. */
    unread: boolean('unread').notNull(),
    means: text('means').$type<MailEvent['means']>().notNull(),
    /**
     * Keyed hash of the address's domain, 32 hex digits, and who took its mail when the report came. Null means not looked up.
     */
    domain: text('domain'),
    hostClass: text('host_class').$type<HostClass>(),
    basicCode: text('basic_code'),
    enhancedCode: text('enhanced_code'),
    /** When it happened, and when we received it. */
    at: time('at').notNull(),
    receivedAt: time('received_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.id] }),
    index('mail_report_address').on(table.addressHash),
    index('mail_report_source').on(table.source, table.receivedAt),
    index('mail_report_at').on(table.at),
  ],
);

/** A token that proves one body alone, both as keyed hashes. */
export const webhookToken = pgTable(
  'webhook_token',
  {
    organisationId: organisationId(),
    token: text('token').notNull(),
    body: text('body').notNull(),
    seenAt: time('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.token] }),
    index('webhook_token_seen').on(table.seenAt),
  ],
);

/** Addresses that later imports and webhooks bring nothing of: only their hashes. */
export const suppressedAddress = pgTable(
  'suppressed_address',
  {
    organisationId: organisationId(),
    addressHash: text('address_hash').notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.addressHash] })],
);
