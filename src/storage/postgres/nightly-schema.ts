import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { CalibrationReport } from '../../contract/calibration.ts';
import type { AcceptedSource, EarlierSize } from '../../domain/lists/review-list.ts';
import type { SeenAs } from '../../domain/mailbox-provider/back-ends.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Holds, lines, organisationId, time } from './columns.ts';

/** How the numbers that an account was given compare with its outcomes, as the newest night found it. */
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
    /** When its run began. */
    runAt: time('run_at').notNull(),
    finishedAt: time('finished_at').notNull(),
    ok: boolean('ok').notNull(),
    report: jsonb('report').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organisationId, table.step] })],
);

/** The sources of disposable domains that were accepted. */
export const disposableSource = pgTable('disposable_source', {
  source: text('source').primaryKey(),
  sha256: text('sha256').notNull(),
  domains: lines('domains').notNull(),
  acceptedAt: time('accepted_at').notNull(),
  earlier: jsonb('earlier').$type<readonly EarlierSize[]>().notNull(),
}) satisfies Holds<AcceptedSource>;

/** Which domains were seen at which back end of mail hosts, by all organisations together. Days are counted since 1970, UTC. */
export const backEndDomain = pgTable(
  'back_end_domain',
  {
    backEnd: text('back_end').notNull(),
    domain: text('domain').notNull(),
    /** By the lists of the day it was last seen. */
    seenAs: text('seen_as').$type<SeenAs>().notNull(),
    /** Two organisations at most, each by a keyed hash of its own for this domain. */
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
