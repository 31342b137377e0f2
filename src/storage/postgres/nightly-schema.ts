import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  bigint,
  customType,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CalibrationReport } from '../../contract/calibration.ts';
import type { AcceptedSource, EarlierSize } from '../../domain/lists/review-list.ts';
import type { SeenAs } from '../../domain/mailbox-provider/back-ends.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Holds, lines, organisationId, time } from './columns.ts';

/** The newest night's comparison of an account's numbers with its outcomes. */
export const calibration = pgTable('calibration', {
  organisationId: text('organisation_id').$type<Id<'org'>>().primaryKey(),
  report: jsonb('report').$type<Omit<CalibrationReport, 'computed_at'>>().notNull(),
  computedAt: time('computed_at').notNull(),
});

/** What each nightly step last did for an organisation. */
export const nightlyStep = pgTable(
  'nightly_step',
  {
    organisationId: organisationId(),
    step: text('step').notNull(),
    runAt: time('run_at').notNull(),
    finishedAt: time('finished_at').notNull(),
    ok: boolean('ok').notNull(),
    report: jsonb('report').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.step] })],
);

export const disposableSource = pgTable('disposable_source', {
  source: text('source').primaryKey(),
  sha256: text('sha256').notNull(),
  domains: lines('domains').notNull(),
  acceptedAt: time('accepted_at').notNull(),
  earlier: jsonb('earlier').$type<readonly EarlierSize[]>().notNull(),
}) satisfies Holds<AcceptedSource>;

/** Domains observed at back ends of mail hosts, by all organisations together. Days are counted since 1970, UTC. */
export const backEndDomain = pgTable(
  'back_end_domain',
  {
    backEnd: text('back_end').notNull(),
    domain: text('domain').notNull(),
    /** By the lists of the day it was last seen. */
    seenAs: text('seen_as').$type<SeenAs>().notNull(),
    /** Two organisations at most, as keyed hashes specific to this domain. */
    seenBy: text('seen_by').array().notNull(),
    firstDay: integer('first_day').notNull(),
    lastDay: integer('last_day').notNull(),
  },
  (table) => [primaryKey({ columns: [table.backEnd, table.domain] }), index('back_end_domain_domain').on(table.domain)],
);

/** What each step of a cron did when it last ran. */
export const cronStep = pgTable('cron_step', {
  step: text('step').primaryKey(),
  startedAt: time('started_at').notNull(),
  finishedAt: time('finished_at').notNull(),
  report: jsonb('report').notNull(),
});

/** 64 bits that only Postgres makes and compares. */
const hash = (name: string) => bigint(name, { mode: 'bigint' });
/** An address's keyed hash as bytes: half as long as the hex of traces, and compared without a collation. */
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** The progress of an organisation's nightly roll-up. */
export const rollup = pgTable('rollup', {
  organisationId: text('organisation_id').primaryKey(),
  /** When the run of the served numbers began; null until the first run has ended. */
  computedAt: time('computed_at'),
  /** The served generation of cells and totals, and its metrics. */
  generation: integer('generation').notNull().default(0),
  metrics: text('metrics').array(),
  /** Whether rows came since the served numbers were made. */
  changed: boolean('changed').notNull().default(false),
  /** When the run of the next generation began; a later run continues it. */
  buildingAt: time('building_at'),
  buildingMetrics: text('building_metrics').array(),
  /** The last metric finished for the next generation. */
  built: text('built'),
  /** The run that may write; null between runs. */
  run: text('run'),
});

/** The row count of a UTC day of ids when it was last read; a day with another count is read again. */
export const rollupSource = pgTable(
  'rollup_source',
  {
    organisationId: text('organisation_id').notNull(),
    /** `trace` or `event`. */
    kind: text('kind').notNull(),
    /** Days since the epoch. */
    day: integer('day').notNull(),
    /** -1: read the day again in any case. */
    rows: integer('rows').notNull(),
    /** For events: `{ metric: [exact, by_email, unmatched] }`. */
    joins: jsonb('joins'),
    /** For events: how many a late trace might still match. */
    unmatched: integer('unmatched').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.kind, table.day] })],
);

/** An address's first exposure within 365 days. */
export const exposure = pgTable(
  'exposure',
  {
    organisationId: text('organisation_id').notNull(),
    addressHash: bytes('address_hash').notNull(),
    traceId: uuid('trace_id').notNull(),
    at: time('at').notNull(),
    day: integer('day').notNull(),
    /** Its values in the fixed dimensions: ids of `segment_value`. */
    values: hash('values').array().notNull(),
    /** Its experiment and arm: an id of `segment_value`. */
    experiment: hash('experiment'),
    /** Whether recommendations count it. */
    advisable: boolean('advisable').notNull(),
    attributes: jsonb('attributes'),
  },
  (table) => [
    // The hash comes first because it is the most selective.
    primaryKey({ columns: [table.addressHash, table.organisationId] }),
    index('exposure_day').on(table.organisationId, table.day),
  ],
);

/** When a metric last happened to an address, which shows whether it happened after the exposure. */
export const addressEvent = pgTable(
  'address_event',
  {
    organisationId: text('organisation_id').notNull(),
    addressHash: bytes('address_hash').notNull(),
    metric: text('metric').notNull(),
    lastAt: time('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.addressHash, table.metric] })],
);

/** The dictionary of values that exposures have in a dimension. */
export const segmentValue = pgTable(
  'segment_value',
  {
    organisationId: text('organisation_id').notNull(),
    /** A hash of the other columns. */
    id: hash('id').notNull(),
    dimension: text('dimension').notNull(),
    /** JSON null: an attribute's rarer values of a day together. */
    value: jsonb('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.id] })],
);

/**
 * The rollup of a UTC day of exposure: parallel lists of counts of a metric (`''`: exposures) by pair of values. `b` is
 * 0 for a single value, and both are 0 for everybody.
 */
export const segmentDay = pgTable(
  'segment_day',
  {
    organisationId: text('organisation_id').notNull(),
    metric: text('metric').notNull(),
    day: integer('day').notNull(),
    /** For `''`: the day has changed since it was counted. */
    stale: boolean('stale').notNull(),
    a: hash('a').array().notNull().default([]),
    b: hash('b').array().notNull().default([]),
    counts: integer('counts').array().notNull().default([]),
    /** Counts of exposures that recommendations use. */
    advisable: integer('advisable').array().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.metric, table.day] })],
);

/** The shown segments, largest first; number 1 is everybody (`{}`). */
export const segmentCell = pgTable(
  'segment_cell',
  {
    organisationId: text('organisation_id').notNull(),
    generation: integer('generation').notNull(),
    cell: integer('cell').notNull(),
    key: jsonb('key').notNull(),
    exposures: integer('exposures').notNull(),
    /** The values, or pairs of values, that the segment joins. */
    a: hash('a').array().notNull(),
    b: hash('b').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.generation, table.cell] })],
);

/**
 * Running totals of a metric and a cell at each day that added to them, so that a window takes two look-ups. Its
 * migration keeps the lists in the row (`toast_tuple_target`), because unpacking them would take most of a read's time.
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
    /** Totals of exposures that recommendations use. */
    advisable: integer('advisable').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.generation, table.metric, table.cell] })],
);
