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

/** Times are epoch milliseconds, money whole millionths of a dollar: numbers that mean the same in every driver. */
const time = (name: string) => bigint(name, { mode: 'number' });
const amount = (name: string) => bigint(name, { mode: 'number' });
/** 64 bits that only Postgres makes and compares. */
const hash = (name: string) => bigint(name, { mode: 'bigint' });

/** The directory of organisations. Settings are a projection of the organisation's object, newest version wins. */
export const organisation = pgTable('organisation', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
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
});

/** The organisation's own users: the one place in Postgres where an e-mail address stands. */
export const appUser = pgTable(
  'app_user',
  {
    id: text('id').primaryKey(),
    organisationId: text('organisation_id').notNull(),
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
    id: text('id').primaryKey(),
    organisationId: text('organisation_id').notNull(),
    hash: text('hash').notNull(),
    last4: text('last4').notNull(),
    name: text('name').notNull(),
    role: text('role').notNull(),
    mode: text('mode').notNull(),
    origin: text('origin').notNull(),
    operator: boolean('operator').notNull(),
    userId: text('user_id'),
    secretVersion: text('secret_version').notNull(),
    createdAt: time('created_at').notNull(),
    revokedAt: time('revoked_at'),
  },
  (table) => [index('api_key_organisation').on(table.organisationId)],
);

const ruleColumns = {
  organisationId: text('organisation_id').notNull(),
  id: text('id').notNull(),
  rule: text('rule').notNull(),
  note: text('note'),
  createdAt: time('created_at').notNull(),
  createdBy: text('created_by').notNull(),
};

/** Projection of the account's domain rules. */
export const domainRule = pgTable('domain_rule', { ...ruleColumns, domain: text('domain').notNull() }, (table) => [
  primaryKey({ columns: [table.organisationId, table.domain] }),
]);

/** Projection of the account's address rules: keyed hash and mask, never the address. */
export const addressRule = pgTable(
  'address_rule',
  { ...ruleColumns, hash: text('hash').notNull(), display: text('display').notNull() },
  (table) => [primaryKey({ columns: [table.organisationId, table.hash] })],
);

/** Projection of the policies, every version: none is ever changed. The document is JSON as text, whatever it holds. */
export const policy = pgTable(
  'policy',
  {
    organisationId: text('organisation_id').notNull(),
    slug: text('slug').notNull(),
    version: integer('version').notNull(),
    document: text('document').notNull(),
    createdAt: time('created_at').notNull(),
    createdBy: text('created_by'),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.slug, table.version] })],
);

/** Projection of a month's counts: absolute values, so that writing them twice changes nothing. */
export const usageMonth = pgTable(
  'usage_month',
  {
    organisationId: text('organisation_id').notNull(),
    month: text('month').notNull(),
    usage: jsonb('usage').notNull(),
    at: time('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.month] })],
);

/** Projection of the bulk jobs the object holds: the record stays when the files are gone. */
export const bulkJob = pgTable(
  'bulk_job',
  {
    organisationId: text('organisation_id').notNull(),
    id: text('id').notNull(),
    version: integer('version').notNull(),
    record: jsonb('record').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
);

/**
 * One decision about one address, without the address. Partitioned by month on the time in its id, so that what is too old
 * goes with its partition.
 */
export const trace = pgTable(
  'trace',
  {
    /** The UUID inside the `vr_` or `dc_` id; `kind` says which. */
    id: uuid('id').notNull(),
    organisationId: text('organisation_id').notNull(),
    /** The embedded verification's id of a decision; null for every other kind. */
    verificationId: uuid('verification_id'),
    kind: text('kind').notNull(),
    mode: text('mode').notNull(),
    keyId: text('key_id'),
    createdAt: time('created_at').notNull(),
    addressHash: text('address_hash'),
    display: text('display').notNull(),
    domain: text('domain').notNull(),
    verdict: text('verdict').notNull(),
    bounceProbability: doublePrecision('bounce_probability').notNull(),
    recommendation: text('recommendation').notNull(),
    reason: text('reason'),
    emailType: text('email_type'),
    esp: text('esp').notNull(),
    costMicros: amount('cost_micros').notNull(),
    latencyMs: integer('latency_ms').notNull(),
    cacheHit: boolean('cache_hit').notNull(),
    degraded: boolean('degraded').notNull(),
    bulkJobId: text('bulk_job_id'),
    /** What a policy decided, with what segments and simulations read of it. */
    policyDecision: jsonb('policy_decision'),
    /** What segments read beside it; null in traces from before they did. */
    actorClass: text('actor_class'),
    mailboxType: text('mailbox_type'),
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
);

/** What replays a trace. Apart from it, because it is kept 90 days only; partitioned the same way. */
export const traceDetail = pgTable('trace_detail', {
  id: uuid('id').primaryKey(),
  organisationId: text('organisation_id').notNull(),
  detail: jsonb('detail').notNull(),
});

/** One screening, without the address and the name. Partitioned by month like traces. */
export const screening = pgTable(
  'screening',
  {
    /** The UUID inside the `sc_` id. */
    id: uuid('id').notNull(),
    organisationId: text('organisation_id').notNull(),
    mode: text('mode').notNull(),
    keyId: text('key_id'),
    createdAt: time('created_at').notNull(),
    addressHash: text('address_hash'),
    display: text('display').notNull(),
    screening: jsonb('screening').notNull(),
    costMicros: amount('cost_micros').notNull(),
    latencyMs: integer('latency_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.mode, table.id] }),
    index('screening_key').on(table.organisationId, table.mode, table.keyId, table.id),
    index('screening_address').on(table.organisationId, table.addressHash),
  ],
);

/** What became of a message, the newest report of a verification: codes alone, never the server's text. */
export const outcome = pgTable(
  'outcome',
  {
    organisationId: text('organisation_id').notNull(),
    mode: text('mode').notNull(),
    /** The UUID inside the `vr_` id; null where the id is no UUID of ours and joins nothing. */
    verificationId: uuid('verification_id'),
    /** As it was sent. */
    traceId: text('trace_id').notNull(),
    /** The UUID inside the `oc_` id of the report in force. */
    id: uuid('id').notNull(),
    keyId: text('key_id'),
    outcome: text('outcome').notNull(),
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
);

/** What a signup went on to do. Partitioned by month on the time in its id, like traces. */
export const event = pgTable(
  'event',
  {
    /** The UUID inside the `ev_` id: when it was received. */
    id: uuid('id').notNull(),
    organisationId: text('organisation_id').notNull(),
    mode: text('mode').notNull(),
    /** `api`, or the processor's connection it came through. */
    source: text('source').notNull(),
    event: text('event').notNull(),
    /** When it happened, as the customer says; `created_at` when we heard of it. */
    at: time('at').notNull(),
    createdAt: time('created_at').notNull(),
    /** The UUID inside the `vr_` or `dc_` id it names; null where that is no UUID of ours, or a processor sent it. */
    traceId: uuid('trace_id'),
    /** Keyed hash of the address a processor named; nothing else is tied by address. */
    addressHash: text('address_hash'),
    properties: jsonb('properties'),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.mode, table.id] }),
    index('event_trace').on(table.traceId),
    index('event_address').on(table.addressHash),
  ],
);

/** How far an organisation's nightly roll-up has come. */
export const rollup = pgTable('rollup', {
  organisationId: text('organisation_id').primaryKey(),
  /** When the run began whose numbers are served; null before the first has ended. */
  computedAt: time('computed_at'),
  /** Which cells and totals are served, and the metrics they were made for. */
  generation: integer('generation').notNull().default(0),
  metrics: text('metrics').array(),
  /** Something was taken in since they were made. */
  changed: boolean('changed').notNull().default(false),
  /** When the run began whose numbers, the next generation, are being made: taken up where a run ended. */
  buildingAt: time('building_at'),
  buildingMetrics: text('building_metrics').array(),
  /** The last metric they are made for. */
  built: text('built'),
  /** The run that may write; null between runs. */
  run: text('run'),
});

/** What a UTC day of ids held when it was last taken in: a day whose count has changed is taken in again. */
export const rollupSource = pgTable(
  'rollup_source',
  {
    organisationId: text('organisation_id').notNull(),
    /** `trace` or `event`. */
    kind: text('kind').notNull(),
    /** Days since the epoch. */
    day: integer('day').notNull(),
    rows: integer('rows').notNull(),
    /** Of events: `{ metric: [exact, by_email, unmatched] }`. */
    joins: jsonb('joins'),
    /** Of events: those that a trace which comes late might still explain. */
    unmatched: integer('unmatched').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.kind, table.day] })],
);

/** An address's first exposure within 365 days. */
export const exposure = pgTable(
  'exposure',
  {
    organisationId: text('organisation_id').notNull(),
    addressHash: text('address_hash').notNull(),
    traceId: uuid('trace_id').notNull(),
    at: time('at').notNull(),
    day: integer('day').notNull(),
    /** What it is in each fixed dimension: ids of `segment_value`. */
    values: hash('values').array().notNull(),
    /** The experiment and arm it met, likewise. */
    experiment: hash('experiment'),
    /** Whether recommendations count it. */
    advisable: boolean('advisable').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisationId, table.addressHash] }),
    index('exposure_day').on(table.organisationId, table.day),
  ],
);

/** When a metric last happened to an address: whatever its first exposure is, it tells whether one came after. */
export const addressEvent = pgTable(
  'address_event',
  {
    organisationId: text('organisation_id').notNull(),
    addressHash: text('address_hash').notNull(),
    metric: text('metric').notNull(),
    lastAt: time('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.addressHash, table.metric] })],
);

/** A value that exposures have in a dimension. */
export const segmentValue = pgTable(
  'segment_value',
  {
    organisationId: text('organisation_id').notNull(),
    /** A hash of the rest. */
    id: hash('id').notNull(),
    dimension: text('dimension').notNull(),
    /** JSON null: an attribute's rarer values of a day together. */
    value: jsonb('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
);

/**
 * The rollup of a UTC day of exposure: counts of a metric (`''`: exposures) by value, by pair of values (`b` is 0 for one
 * alone, both are for everybody), side by side in lists.
 */
export const segmentDay = pgTable(
  'segment_day',
  {
    organisationId: text('organisation_id').notNull(),
    metric: text('metric').notNull(),
    day: integer('day').notNull(),
    /** Of `''`: the day was touched since it was counted. */
    stale: boolean('stale').notNull(),
    a: hash('a').array().notNull().default([]),
    b: hash('b').array().notNull().default([]),
    counts: integer('counts').array().notNull().default([]),
    /** Of exposures that recommendations count. */
    advisable: integer('advisable').array().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.metric, table.day] })],
);

/** The segments that are shown, the largest first; number 1 is everybody (`{}`). */
export const segmentCell = pgTable(
  'segment_cell',
  {
    organisationId: text('organisation_id').notNull(),
    generation: integer('generation').notNull(),
    cell: integer('cell').notNull(),
    key: jsonb('key').notNull(),
    exposures: integer('exposures').notNull(),
    /** The values, or pairs of them, that it holds. */
    a: hash('a').array().notNull(),
    b: hash('b').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.generation, table.cell] })],
);

/**
 * Running totals of a metric and a cell, up to and with each day that added to them: any window is two look-ups. Its migration
 * keeps the lists in the row (`toast_tuple_target`): unpacking them would be most of the time of a read.
 */
export const segmentTotal = pgTable(
  'segment_total',
  {
    organisationId: text('organisation_id').notNull(),
    generation: integer('generation').notNull(),
    metric: text('metric').notNull(),
    cell: integer('cell').notNull(),
    days: integer('days').array().notNull(),
    totals: integer('totals').array().notNull(),
    /** Of exposures that recommendations count. */
    advisable: integer('advisable').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.generation, table.metric, table.cell] })],
);

/** What each step of a cron did when it last ran. */
export const cronStep = pgTable('cron_step', {
  step: text('step').primaryKey(),
  startedAt: time('started_at').notNull(),
  finishedAt: time('finished_at').notNull(),
  report: jsonb('report').notNull(),
});
