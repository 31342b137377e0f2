import { type SQL, sql } from 'drizzle-orm';
import {
  index,
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { EventBatch, EventRecord, OutcomeRecord, ReportRecord } from '../../domain/feedback/outcomes.ts';
import type { ScreeningRecord } from '../../domain/screening/record.ts';
import type { TraceRecord, TraceDetail } from '../../domain/traces/traces.ts';
import { amount, type Holds, idColumn, keyMode, organisationId, time, writingKey } from './columns.ts';

export interface TraceFacets {
  readonly domain?: string | undefined;
  readonly reason?: NonNullable<TraceRecord['reason']> | undefined;
  readonly decision?: string | undefined;
  readonly emailType?: NonNullable<TraceRecord['emailType']> | undefined;
  readonly recommendation?: TraceRecord['recommendation'] | undefined;
  readonly verdict?: TraceRecord['verdict'] | undefined;
  readonly esp?: TraceRecord['esp'] | undefined;
  readonly kind?: TraceRecord['kind'] | undefined;
}
export type TraceFacet = keyof TraceFacets;

/**
 * The index of each facet: the organisation and the value in one expression, so that the planner has no other index for
 * it. Values that most traces have are left out, because the order of the ids finds a page of them at once. Rarest
 * first: a statement uses one.
 */
export const FACETS: Readonly<Record<TraceFacet, { readonly value: string; readonly only: string | null }>> = {
  domain: { value: 'domain', only: null },
  reason: { value: 'reason', only: 'reason is not null' },
  decision: { value: "(policy_decision ->> 'decision')", only: 'policy_decision is not null' },
  emailType: { value: 'email_type', only: "email_type not in ('business', 'free')" },
  recommendation: { value: 'recommendation', only: "recommendation <> 'send'" },
  verdict: { value: 'verdict', only: "verdict not in ('valid', 'likely_valid')" },
  esp: { value: 'esp', only: "esp in ('self_hosted', 'unknown')" },
  kind: { value: 'kind', only: "kind = 'decide'" },
};

/** Values that a facet's index leaves out. */
const COMMON: Partial<Record<TraceFacet, readonly string[]>> = {
  emailType: ['business', 'free'],
  recommendation: ['send'],
  verdict: ['valid', 'likely_valid'],
  esp: ['hosted_suite_a', 'hosted_suite_b', 'consumer_esp'],
  kind: ['verify', 'bulk'],
};

const indexed = (facet: TraceFacet): SQL => sql.raw(`(organisation_id || ' ' || ${FACETS[facet].value})`);

/** A facet's condition as in its index; null where the index lacks the value. */
export function indexCondition(facet: TraceFacet, owner: string, value: string): SQL | null {
  if (COMMON[facet]?.includes(value) === true) return null;
  const { only } = FACETS[facet];
  const condition = sql`${indexed(facet)} = ${`${owner} ${value}`}`;
  return only === null ? condition : sql`${condition} and ${sql.raw(only)}`;
}

/** A facet's condition on a row that another index found. */
export const facetCondition = (facet: TraceFacet, value: string): SQL =>
  sql`${sql.raw(FACETS[facet].value)} = ${value}`;

export const facetIndexes = (mode: SQL, id: SQL) =>
  (Object.keys(FACETS) as TraceFacet[]).map((facet) => {
    const { only } = FACETS[facet];
    const made = index(`trace_${facet.toLowerCase()}`).on(indexed(facet), mode, id);
    return only === null ? made : made.where(sql.raw(only));
  });

/**
 * One decision about one address, without the address. Partitioned by month on the time in its id, so that old rows go
 * with their partition.
 */
export const trace = pgTable(
  'trace',
  {
    /** The UUID inside the `vr_` or `dc_` id; `kind` says which. */
    id: uuid('id').notNull(),
    organisationId: organisationId(),
    /** The id of the verification inside a decision; null for other kinds. */
    verificationId: idColumn('vr', 'verification_id'),
    kind: text('kind').$type<TraceRecord['kind']>().notNull(),
    mode: keyMode(),
    keyId: writingKey(),
    createdAt: time('created_at').notNull(),
    addressHash: text('address_hash'),
    display: text('display').notNull(),
    domain: text('domain').notNull(),
    meantDomain: text('meant_domain'),
    verdict: text('verdict').$type<TraceRecord['verdict']>().notNull(),
    bounceProbability: doublePrecision('bounce_probability').notNull(),
    recommendation: text('recommendation').$type<TraceRecord['recommendation']>().notNull(),
    reason: text('reason').$type<NonNullable<TraceRecord['reason']>>(),
    emailType: text('email_type').$type<NonNullable<TraceRecord['emailType']>>(),
    esp: text('esp').$type<TraceRecord['esp']>().notNull(),
    costMicros: amount('cost_micros').notNull(),
    latencyMs: integer('latency_ms').notNull(),
    cacheHit: boolean('cache_hit').notNull(),
    degraded: boolean('degraded').notNull(),
    bulkJobId: text('bulk_job_id').$type<NonNullable<TraceRecord['bulkJobId']>>(),
    /** What a policy decided, with the values that segments and simulations read. */
    policyDecision: jsonb('policy_decision').$type<NonNullable<TraceRecord['policyDecision']>>(),
    /** Inputs of segments beside the decision. */
    actorClass: text('actor_class').$type<TraceRecord['actorClass']>().notNull(),
    mailboxType: text('mailbox_type').$type<TraceRecord['mailboxType']>().notNull(),
    disposable: boolean('disposable').notNull(),
    roleAccount: boolean('role_account').notNull(),
    /** Inputs of a rebuilt history; null where a rule or a finding settled the number. */
    hostClass: text('host_class'),
    /** Input of the nightly jobs: names separated by spaces. */
    backEnds: text('back_ends'),
    /** Vendors that received the address, separated by spaces. */
    sentTo: text('sent_to').notNull(),
    observation: jsonb('observation').$type<NonNullable<TraceRecord['observation']>>(),
  },
  // Each filter of the list has its own index, and a statement has only the condition that the index begins with. Given
  // a choice, the planner sometimes reads all rows of all organisations, or of one, in the order of the id.
  (table) => [
    primaryKey({ columns: [table.organisationId, table.mode, table.id] }),
    index('trace_key').on(table.keyId, table.mode, table.id),
    index('trace_bulk_job')
      .on(table.bulkJobId, table.mode, table.id)
      .where(sql`bulk_job_id is not null`),
    index('trace_bulk_job_key')
      .on(sql`(bulk_job_id || key_id)`, table.mode, table.id)
      .where(sql`bulk_job_id is not null`),
    index('trace_verification')
      .on(table.verificationId)
      .where(sql`verification_id is not null`),
    // The hash is keyed by organisation, so only its own rows have it.
    index('trace_address').on(table.addressHash),
    ...facetIndexes(sql`${table.mode}`, sql`${table.id}`),
  ],
) satisfies Holds<Omit<TraceRecord, 'id' | 'detail'>>;

/** The detail that replays a trace, in its own table because it is stored for only 90 days; partitioned like traces. */
export const traceDetail = pgTable('trace_detail', {
  id: uuid('id').primaryKey(),
  organisationId: organisationId(),
  detail: jsonb('detail').$type<TraceDetail>().notNull(),
});

/** One screening, without the address and the name. Partitioned by month like traces. */
export const screening = pgTable(
  'screening',
  {
    /** The UUID inside the `sc_` id. */
    id: idColumn('sc', 'id').notNull(),
    organisationId: organisationId(),
    mode: keyMode(),
    keyId: writingKey(),
    createdAt: time('created_at').notNull(),
    addressHash: text('address_hash'),
    display: text('display').notNull(),
    screening: jsonb('screening').$type<ScreeningRecord['screening']>().notNull(),
    costMicros: amount('cost_micros').notNull(),
    latencyMs: integer('latency_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.mode, table.id] }),
    index('screening_key').on(table.organisationId, table.mode, table.keyId, table.id),
    index('screening_address').on(table.organisationId, table.addressHash),
  ],
) satisfies Holds<ScreeningRecord>;

/** A message's outcome: the newest report of a verification, with codes but never the server's text. */
export const outcome = pgTable(
  'outcome',
  {
    organisationId: organisationId(),
    mode: keyMode(),
    /** The UUID inside the `vr_` id; null for a foreign id, which matches no trace. */
    verificationId: idColumn('vr', 'verification_id'),
    traceId: text('trace_id').notNull(),
    /** The UUID inside the `oc_` id of the report in force. */
    id: idColumn('oc', 'id').notNull(),
    keyId: writingKey(),
    outcome: text('outcome').$type<OutcomeRecord['outcome']>().notNull(),
    /** What it says about the mailbox, or null. */
    class: text('class').$type<OutcomeRecord['class']>(),
    unread: boolean('unread').notNull(),
    /** Basic SMTP code (RFC 5321) and enhanced status code (RFC 3463). */
    basicCode: text('basic_code'),
    enhancedCode: text('enhanced_code'),
    reportedAt: time('reported_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.mode, table.traceId] }),
    index('outcome_verification').on(table.verificationId),
    index('outcome_reported').on(table.reportedAt),
  ],
) satisfies Holds<OutcomeRecord>;

/** Reports about an address in the account's history: by keyed hash, source and message. */
export const deliveryReport = pgTable(
  'delivery_report',
  {
    organisationId: organisationId(),
    addressHash: text('address_hash').notNull(),
    source: text('source').notNull(),
    of: text('of').notNull(),
    class: text('class').$type<ReportRecord['class']>().notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.addressHash, table.source, table.of] }),
    index('delivery_report_at').on(table.at),
  ],
) satisfies Holds<ReportRecord>;

/** What a signup went on to do. Partitioned by month on the time in its id, like traces. */
export const event = pgTable(
  'event',
  {
    /** The UUID inside the `ev_` id: when it was received. */
    id: idColumn('ev', 'id').notNull(),
    organisationId: organisationId(),
    mode: keyMode(),
    source: text('source').$type<EventBatch['source']>().notNull(),
    event: text('event').notNull(),
    /** When it happened, as the customer reports; `created_at` is when we received it. */
    at: time('at').notNull(),
    createdAt: time('created_at').notNull(),
    /** The UUID inside its `vr_` or `dc_` id; null for a foreign id, or a processor's event. */
    traceId: uuid('trace_id'),
    /** Keyed hash of the address that a processor named; only these events are matched by address. */
    addressHash: text('address_hash'),
    properties: jsonb('properties').$type<NonNullable<EventRecord['properties']>>(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.mode, table.id] }),
    index('event_trace').on(table.traceId),
    index('event_address').on(table.addressHash),
  ],
) satisfies Holds<Omit<EventBatch, 'events'> & EventRecord>;

/** Live traces and screenings by UTC day and subject, counted as they are written. Stored as long as they are. */
export const usageDay = pgTable(
  'usage_day',
  {
    organisationId: organisationId(),
    /** Days since 1970. */
    day: integer('day').notNull(),
    /** Empty: the object was unreachable, so the key is unknown. */
    keyId: text('key_id').notNull(),
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
