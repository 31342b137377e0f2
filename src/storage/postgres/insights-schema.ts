import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';

/** Epoch milliseconds, as in `schema.ts`. */
const time = (name: string) => bigint(name, { mode: 'number' });
/** 64 bits that only Postgres makes and compares. */
const hash = (name: string) => bigint(name, { mode: 'bigint' });
/** An address's keyed hash, which traces have in hex: half as long, and compared without a collation. */
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

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
    /** -1: to be taken in again whatever it holds. */
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
    addressHash: bytes('address_hash').notNull(),
    traceId: uuid('trace_id').notNull(),
    at: time('at').notNull(),
    day: integer('day').notNull(),
    /** What it is in each fixed dimension: ids of `segment_value`. */
    values: hash('values').array().notNull(),
    /** The experiment and arm it met, likewise. */
    experiment: hash('experiment'),
    /** Whether recommendations count it. */
    advisable: boolean('advisable').notNull(),
    /** What its caller said of it, by name. */
    attributes: jsonb('attributes'),
  },
  (table) => [
    // The hash first: it tells rows apart at once.
    primaryKey({ columns: [table.addressHash, table.organisationId] }),
    index('exposure_day').on(table.organisationId, table.day),
  ],
);

/** When a metric last happened to an address: whatever its first exposure is, it tells whether one came after. */
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
