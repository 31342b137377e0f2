import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ConnectionKind } from '../../contract/connections.ts';
import type { DeliveryClass } from '../../domain/belief/facts.ts';
import type { HostClass } from '../../domain/belief/host-class.ts';
import type { MailEvent, MailOutcome } from '../../domain/feedback/outcomes.ts';
import type { Id } from '../../kernel/ids.ts';
import { organisationId, time } from './columns.ts';

/**
 * A payment processor or mail service whose webhooks are stored. Its secrets are sealed, so that Postgres alone can't
 * forge a webhook.
 */
export const processorConnection = pgTable(
  'processor_connection',
  {
    id: text('id').$type<Id<'con'>>().primaryKey(),
    organisationId: organisationId(),
    kind: text('kind').$type<ConnectionKind>().notNull(),
    secrets: text('secrets').notNull(),
    createdAt: time('created_at').notNull(),
    /** Webhooks with an invalid or missing signature. */
    refused: integer('refused').notNull().default(0),
  },
  (table) => [index('processor_connection_organisation').on(table.organisationId)],
);

/** The address of a processor's customer or charge, both as keyed hashes, from webhooks that name id and address. */
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

/** A message's fate as a mail service or an import reported it: by address alone, each report once. */
export const mailReport = pgTable(
  'mail_report',
  {
    organisationId: organisationId(),
    /** Derived from the reporter's own id of the event, so that it is stable across deliveries. */
    id: uuid('id').notNull(),
    /** Its connection, or an import. */
    source: text('source').$type<Id<'con'> | 'import'>().notNull(),
    addressHash: text('address_hash').notNull(),
    outcome: text('outcome').$type<MailOutcome>().notNull(),
    /** What it says about the mailbox, or null. */
    class: text('class').$type<DeliveryClass>(),
    /** A bounce has an inconclusive text. */
    unread: boolean('unread').notNull(),
    means: text('means').$type<MailEvent['means']>().notNull(),
    /** Keyed hash of the address's domain, 32 hex digits, and its host class then. Null means not looked up. */
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

/** A token that proves a single body, both as keyed hashes. */
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

/** Addresses excluded from later imports and webhooks: only their hashes. */
export const suppressedAddress = pgTable(
  'suppressed_address',
  {
    organisationId: organisationId(),
    addressHash: text('address_hash').notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.addressHash] })],
);
