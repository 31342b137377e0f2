import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { KeyRecord } from '../../domain/access/key-record.ts';
import type { ProjectedJob } from '../../domain/bulk/job-record.ts';
import type { EventBatch, EventRecord } from '../../domain/feedback/events.ts';
import type { OutcomeRecord } from '../../domain/feedback/outcomes.ts';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import type { Limits, Usage } from '../../domain/metering/usage.ts';
import type { ProjectedPolicy } from '../../domain/policy/policy-records.ts';
import type { RuleRecord } from '../../domain/rules/types.ts';
import type { ScreeningRecord } from '../../domain/screening/record.ts';
import type { TraceDetail, TraceRecord } from '../../domain/traces/record.ts';
import type { Id } from '../../kernel/ids.ts';
import { amount, type Holds, idColumn, time } from './columns.ts';

/** Whose a row is. */
const organisationId = () => text('organisation_id').$type<Id<'org'>>().notNull();
const keyMode = () => text('mode').$type<KeyRecord['mode']>().notNull();
const writingKey = () => text('key_id').$type<Id<'key'>>();

/** The directory of organisations. Settings are a projection of the organisation's object, newest version wins. */
export const organisation = pgTable('organisation', {
  id: text('id').$type<Id<'org'>>().primaryKey(),
  accountId: text('account_id').$type<Id<'acct'>>().notNull(),
  name: text('name').notNull(),
  verificationQuota: bigint('verification_quota', { mode: 'number' }).notNull(),
  screeningAllowance: bigint('screening_allowance', { mode: 'number' }).notNull(),
  enrichmentBudgetMicros: amount('enrichment_budget_micros').notNull(),
  ratePerMinute: integer('rate_per_minute').notNull(),
  createdAt: time('created_at').notNull(),
  version: integer('version').notNull(),
  /** The last change of its rule lists that stands in `domain_rule` and `address_rule`: what is older came late or twice. */
  domainRulesVersion: bigint('domain_rules_version', { mode: 'number' }).notNull().default(0),
  addressRulesVersion: bigint('address_rules_version', { mode: 'number' }).notNull().default(0),
}) satisfies Holds<Omit<OrganisationSettings, 'limits'> & Limits>;

/** The organisation's own users: the one place in Postgres where an e-mail address stands. */
export const appUser = pgTable(
  'app_user',
  {
    id: text('id').$type<Id<'u'>>().primaryKey(),
    organisationId: organisationId(),
    email: text('email').notNull(),
    name: text('name'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('app_user_organisation').on(table.organisationId)],
);

/** Projection of the keys the object holds. */
export const apiKey = pgTable(
  'api_key',
  {
    id: text('id').$type<Id<'key'>>().primaryKey(),
    organisationId: organisationId(),
    hash: text('hash').notNull(),
    last4: text('last4').notNull(),
    name: text('name').notNull(),
    role: text('role').$type<KeyRecord['role']>().notNull(),
    mode: keyMode(),
    origin: text('origin').$type<KeyRecord['origin']>().notNull(),
    operator: boolean('operator').notNull(),
    userId: text('user_id').$type<Id<'u'>>(),
    secretVersion: text('secret_version').notNull(),
    createdAt: time('created_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  (table) => [index('api_key_organisation').on(table.organisationId)],
) satisfies Holds<KeyRecord & { organisationId: Id<'org'> }>;

const ruleColumns = {
  organisationId: organisationId(),
  id: text('id').$type<RuleRecord['id']>().notNull(),
  rule: text('rule').$type<RuleRecord['rule']>().notNull(),
  note: text('note'),
  createdAt: time('created_at').notNull(),
  createdBy: text('created_by').notNull(),
};

/** Projection of the account's domain rules. */
export const domainRule = pgTable('domain_rule', { ...ruleColumns, domain: text('domain').notNull() }, (table) => [
  primaryKey({ columns: [table.organisationId, table.domain] }),
]) satisfies Holds<Omit<RuleRecord, 'key' | 'display'>>;

/** Projection of the account's address rules: keyed hash and mask, never the address. */
export const addressRule = pgTable(
  'address_rule',
  { ...ruleColumns, hash: text('hash').notNull(), display: text('display').notNull() },
  (table) => [primaryKey({ columns: [table.organisationId, table.hash] })],
) satisfies Holds<Omit<RuleRecord, 'key'>>;

/** Projection of the policies, every version. Versions never change. The document is JSON, kept as text. */
export const policy = pgTable(
  'policy',
  {
    organisationId: organisationId(),
    slug: text('slug').notNull(),
    version: integer('version').notNull(),
    document: text('document').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by'),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.slug, table.version] })],
) satisfies Holds<ProjectedPolicy>;

/** Projection of a month's counts: absolute values, so that writing them twice changes nothing. */
export const usageMonth = pgTable(
  'usage_month',
  {
    organisationId: organisationId(),
    month: text('month').notNull(),
    usage: jsonb('usage').$type<Usage>().notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.month] })],
);

/** Projection of the bulk jobs the object holds: the record stays when the files are gone. */
export const bulkJob = pgTable(
  'bulk_job',
  {
    organisationId: organisationId(),
    id: text('id').$type<Id<'bj'>>().notNull(),
    version: integer('version').notNull(),
    record: jsonb('record').$type<ProjectedJob['record']>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
) satisfies Holds<ProjectedJob>;

/**
 * One decision about one address, without the address. Partitioned by month on the time in its id, so that what is too old
 * goes with its partition.
 */
export const trace = pgTable(
  'trace',
  {
    /** The UUID inside the `vr_` or `dc_` id; `kind` says which. */
    id: uuid('id').notNull(),
    organisationId: organisationId(),
    /** The embedded verification's id of a decision; null for every other kind. */
    verificationId: idColumn('vr', 'verification_id'),
    kind: text('kind').$type<TraceRecord['kind']>().notNull(),
    mode: keyMode(),
    keyId: writingKey(),
    createdAt: time('created_at').notNull(),
    addressHash: text('address_hash'),
    display: text('display').notNull(),
    domain: text('domain').notNull(),
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
    /** What a policy decided, with what segments and simulations read of it. */
    policyDecision: jsonb('policy_decision').$type<NonNullable<TraceRecord['policyDecision']>>(),
    /** What segments read beside it; null in traces from before they did. */
    actorClass: text('actor_class').$type<NonNullable<TraceRecord['actorClass']>>(),
    mailboxType: text('mailbox_type').$type<NonNullable<TraceRecord['mailboxType']>>(),
    disposable: boolean('disposable'),
    roleAccount: boolean('role_account'),
    /** What the nightly fit reads; null where a rule or a finding settled the number and there is nothing to fit. */
    hostClass: text('host_class'),
    answers: text('answers'),
    lnOdds: real('ln_odds'),
  },
  // A filter of the list has an index of its own, and a statement names only what begins one: given the choice, the planner
  // sometimes walks everybody's rows in the order of the id, or all of an organisation's.
  (table) => [
    primaryKey({ columns: [table.organisationId, table.mode, table.id] }),
    index('trace_key').on(table.keyId, table.mode, table.id),
    index('trace_bulk_job').on(table.bulkJobId, table.mode, table.id).where(sql`bulk_job_id is not null`),
    index('trace_bulk_job_key')
      .on(sql`(bulk_job_id || key_id)`, table.mode, table.id)
      .where(sql`bulk_job_id is not null`),
    index('trace_verification').on(table.verificationId).where(sql`verification_id is not null`),
    // The hash is keyed by organisation: no other's rows have it.
    index('trace_address').on(table.addressHash),
  ],
) satisfies Holds<Omit<TraceRecord, 'id' | 'detail'>>;

/** What replays a trace. Apart from it, because it is kept 90 days only; partitioned the same way. */
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

/** What became of a message, the newest report of a verification: codes alone, never the server's text. */
export const outcome = pgTable(
  'outcome',
  {
    organisationId: organisationId(),
    mode: keyMode(),
    /** The UUID inside the `vr_` id; null where the id is not a UUID of ours and joins nothing. */
    verificationId: idColumn('vr', 'verification_id'),
    /** As it was sent. */
    traceId: text('trace_id').notNull(),
    /** The UUID inside the `oc_` id of the report in force. */
    id: idColumn('oc', 'id').notNull(),
    keyId: writingKey(),
    outcome: text('outcome').$type<OutcomeRecord['outcome']>().notNull(),
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

/** What a signup went on to do. Partitioned by month on the time in its id, like traces. */
export const event = pgTable(
  'event',
  {
    /** The UUID inside the `ev_` id: when it was received. */
    id: idColumn('ev', 'id').notNull(),
    organisationId: organisationId(),
    mode: keyMode(),
    /** `api`, or the processor's connection it came through. */
    source: text('source').$type<EventBatch['source']>().notNull(),
    event: text('event').notNull(),
    /** When it happened, as the customer says; `created_at` when we heard of it. */
    at: time('at').notNull(),
    createdAt: time('created_at').notNull(),
    /** The UUID inside the `vr_` or `dc_` id it names; null where that is not a UUID of ours, or a processor sent it. */
    traceId: uuid('trace_id'),
    /** Keyed hash of the address a processor named; nothing else is tied by address. */
    addressHash: text('address_hash'),
    properties: jsonb('properties').$type<NonNullable<EventRecord['properties']>>(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.mode, table.id] }),
    index('event_trace').on(table.traceId),
    index('event_address').on(table.addressHash),
  ],
) satisfies Holds<Omit<EventBatch, 'events'> & EventRecord>;

/** What each step of a cron did when it last ran. */
export const cronStep = pgTable('cron_step', {
  step: text('step').primaryKey(),
  startedAt: time('started_at').notNull(),
  finishedAt: time('finished_at').notNull(),
  report: jsonb('report').notNull(),
});
