import { boolean, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { CalibrationReport } from '../../contract/calibration.ts';
import type { ModelDocument } from '../../domain/calibration/model-document.ts';
import type { Id } from '../../kernel/ids.ts';
import { time } from './columns.ts';

/** What the nightly fit found for an account, by the model's version; the newest is in force. */
export const calibration = pgTable(
  'calibration',
  {
    organisationId: text('organisation_id').$type<Id<'org'>>().notNull(),
    version: text('version').$type<CalibrationReport['version']>().notNull(),
    state: text('state').$type<CalibrationReport['state']>().notNull(),
    /** The fitted tables; null where the seeded ones are in force. */
    document: jsonb('document').$type<ModelDocument>(),
    report: jsonb('report').$type<Omit<CalibrationReport, 'computed_at'>>().notNull(),
    computedAt: time('computed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.version] })],
);

/** What each nightly step last did for an organisation. */
export const nightlyStep = pgTable(
  'nightly_step',
  {
    organisationId: text('organisation_id').$type<Id<'org'>>().notNull(),
    step: text('step').notNull(),
    /** When the run began that it belongs to. */
    runAt: time('run_at').notNull(),
    finishedAt: time('finished_at').notNull(),
    ok: boolean('ok').notNull(),
    report: jsonb('report').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.step] })],
);

/** What a source of disposable domains said when it was last accepted. */
export const disposableSource = pgTable('disposable_source', {
  /** SHA-256 of its URL, which may hold a password. */
  source: text('source').primaryKey(),
  /** Of what was read, as it was read. */
  sha256: text('sha256').notNull(),
  /** Its domains, a line each, in order. */
  domains: text('domains').notNull(),
  acceptedAt: time('accepted_at').notNull(),
  /** How many it had before, and until when: `{ domains, until }` each. */
  earlier: jsonb('earlier').notNull().default([]),
});
