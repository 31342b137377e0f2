import { type SQL, sql } from 'drizzle-orm';
import { type Id, uuidAt } from '../../kernel/ids.ts';
import type { Database } from './client.ts';

/** Rows in one statement, so that locks are short. */
const AT_ONCE = 5_000;

/**
 * Which rows of an organisation are older than a time, oldest first. Partitioned tables are found by the index of their ids, which
 * begin with their time: rows go from inside a partition, which stays as it is.
 */
type Older = (organisationId: Id<'org'>, beforeMs: number) => SQL;

const MODES = sql.raw("mode in ('live', 'test')");
const byId =
  (table: string): Older =>
  (organisationId, beforeMs) =>
    sql`delete from ${sql.raw(table)}
    where organisation_id = ${organisationId} and ${MODES} and id in (select id from ${sql.raw(table)}
      where organisation_id = ${organisationId} and ${MODES} and id < ${uuidAt(beforeMs)}::uuid limit ${AT_ONCE})
    returning id`;
const byTime =
  (table: string, time: string): Older =>
  (organisationId, beforeMs) =>
    sql`delete from ${sql.raw(table)} where ctid = any(array(select ctid from ${sql.raw(table)}
      where organisation_id = ${organisationId} and ${sql.raw(time)} < ${beforeMs} limit ${AT_ONCE}))
    returning organisation_id`;

/** A detail has only its trace's id; those of a trace that is gone went before it. */
const details: Older = (organisationId, beforeMs) => sql`delete from trace_detail where id in (
    select trace.id from trace join trace_detail on trace_detail.id = trace.id
    where trace.organisation_id = ${organisationId} and trace.${MODES} and trace.id < ${uuidAt(beforeMs)}::uuid limit ${AT_ONCE})
  returning id`;

/** What each kind of record stands in, in the order in which rows may go. */
const TABLES = {
  details: { trace_detail: details },
  traces: { trace: byId('trace'), screening: byId('screening') },
  outcomes: {
    outcome: byTime('outcome', 'reported_at'),
    delivery_report: byTime('delivery_report', 'at'),
    mail_report: byTime('mail_report', 'at'),
  },
  events: { event: byId('event'), processor_reference: byTime('processor_reference', 'seen_at') },
} as const satisfies Record<string, Record<string, Older>>;
export type StoredKind = keyof typeof TABLES;
export const STORED_KINDS = Object.keys(TABLES) as readonly StoredKind[];

/** Deletes an organisation's records of a kind from before a time; returns how many, and whether all are gone. */
export async function deleteOlder(
  db: Database,
  organisationId: Id<'org'>,
  kind: StoredKind,
  beforeMs: number,
  isLate: () => boolean,
): Promise<{ readonly deleted: number; readonly done: boolean }> {
  let deleted = 0;
  for (const older of Object.values(TABLES[kind])) {
    for (let isLeft = true; isLeft;) {
      if (isLate()) return { deleted, done: false };
      const { rows } = (await db.execute(older(organisationId, beforeMs))) as { rows: unknown[] };
      deleted += rows.length;
      isLeft = rows.length >= AT_ONCE;
    }
  }
  return { deleted, done: true };
}
