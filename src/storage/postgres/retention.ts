import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { AUDIT_LIFETIME_MS } from '../../domain/access/keys.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { uuidAt, type Id } from '../../kernel/ids.ts';
import { type Database, sqlState } from './client.ts';
import { auditLine } from './directory-schema.ts';
import { calibration, nightlyStep } from './nightly-schema.ts';
import { mailReport, processorReference, webhookToken } from './processor-schema.ts';
import { deliveryReport, outcome } from './record-schema.ts';
import { deleteOrphans, type OwnedTable, query } from './statements.ts';

interface PartitionedTable {
  readonly table: string;
  /** How long a row is stored, by the time in its id. */
  readonly keptDays: number;
}

export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  { table: 'trace', keptDays: 400 },
  // The detail is most of a trace's size, and lists don't show it.
  { table: 'trace_detail', keptDays: 90 },
  { table: 'screening', keptDays: 400 },
  { table: 'event', keptDays: 400 },
];

interface MonthPartition {
  /** `2026_11` */
  readonly suffix: string;
  readonly fromUuid: string;
  readonly toUuid: string;
}

function monthPartition(ms: number): MonthPartition {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    suffix: `${year}_${String(month + 1).padStart(2, '0')}`,
    fromUuid: uuidAt(Date.UTC(year, month, 1)),
    toUuid: uuidAt(Date.UTC(year, month + 1, 1)),
  };
}

/** The partitions for ids of these instants, each once. */
export const monthPartitions = (times: Iterable<number>): MonthPartition[] => [
  ...new Map(Array.from(times, (ms) => monthPartition(ms)).map((part) => [part.suffix, part])).values(),
];

const MONTH_SUFFIX = /^_(?<year>\d{4,6})_(?<month>\d\d)$/;

/** A table's partitions (`trace_2026_11`) whose whole month is past retention. */
export const expiredPartitions = (
  { table, keptDays }: PartitionedTable,
  partitions: readonly string[],
  nowMs: number,
): string[] =>
  partitions.filter((name) => {
    const month = name.startsWith(table) ? MONTH_SUFFIX.exec(name.slice(table.length))?.groups : undefined;
    // Date months count from 0, so this number is the next month's.
    return month !== undefined && Date.UTC(Number(month.year), Number(month.month)) + keptDays * DAY_MS <= nowMs;
  });

/** SQLSTATE check_violation: Postgres also reports it for a row without a partition. */
const NO_PARTITION = '23514';

/** Inserts rows whose ids have these times. The first row of a month creates its partition, so no timer is needed. */
export async function insertPartitioned<T>(
  db: Database,
  tables: readonly string[],
  times: () => readonly number[],
  insert: () => Promise<T>,
): Promise<T> {
  try {
    return await insert();
  } catch (error) {
    if (sqlState(error) !== NO_PARTITION) throw error;
    await createPartitions(db, tables, times());
    return insert();
  }
}

/** `if not exists` still raises this when two connections create the same table at once. */
const DUPLICATE_TABLE = '42P07';

/** Creates the months' partitions, unless they exist or are being created. */
export async function createPartitions(
  db: Database,
  tables: readonly string[],
  times: readonly number[],
): Promise<void> {
  for (const { suffix, fromUuid, toUuid } of monthPartitions(times)) {
    for (const table of tables) {
      await db
        .execute(sql`select make_partition(${table}::text::regclass, ${suffix}, ${fromUuid}::uuid, ${toUuid}::uuid)`)
        .catch((error: unknown) => {
          if (sqlState(error) !== DUPLICATE_TABLE) throw error;
        });
    }
  }
}

/** SQLSTATE lock_not_available: a reader did not finish within the short time allowed. */
const LOCKED = '55P03';

interface DroppedPartitions {
  readonly dropped: readonly string[];
  /** Partitions in use for too long; the next run retries. */
  readonly busy: readonly string[];
}

/** Drops each month whose rows are all past retention. Idempotent, also concurrently. */
export async function dropExpiredPartitions(db: Database, nowMs: number): Promise<DroppedPartitions> {
  const [dropped, busy]: [string[], string[]] = [[], []];
  for (const partitioned of PARTITIONED_TABLES) {
    const { table } = partitioned;
    const rows = await query<{ name: string }>(db)`
      select relname as name from pg_inherits join pg_class on oid = inhrelid
      where inhparent = ${table}::regclass order by 1`;
    const names = rows.map(({ name }) => name);
    for (const name of expiredPartitions(partitioned, names, nowMs)) {
      ((await dropPartition(db, table, name)) ? dropped : busy).push(name);
    }
  }
  return { dropped, busy };
}

/** False: the partition was in use for too long. */
async function dropPartition(db: Database, table: string, name: string): Promise<boolean> {
  try {
    await db.execute(sql`select drop_partition(${table}::text::regclass, ${name.slice(table.length + 1)})`);
    return true;
  } catch (error) {
    if (sqlState(error) !== LOCKED) throw error;
    return false;
  }
}

/** Rows in one statement, so that locks are short. */
const AT_ONCE = 5_000;

/** Deletes a limited number of rows for which a condition holds. */
const someWhere = (table: PgTable, condition: SQL): SQL =>
  sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${AT_ONCE})) returning 1`;

/** Repeats a deletion until no row is left; returns how many, and whether all are gone. */
async function deleteAll(
  db: Database,
  statement: SQL,
  isLate: () => boolean = () => false,
): Promise<{ readonly deleted: number; readonly done: boolean }> {
  let deleted = 0;
  while (!isLate()) {
    const rows = await query(db)`${statement}`;
    deleted += rows.length;
    if (rows.length < AT_ONCE) return { deleted, done: true };
  }
  return { deleted, done: false };
}

/**
 * Which rows of an organisation are older than a time. Partitioned tables are searched by the index of ids, which begin
 * with their time; the partition stays.
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
  (table: OwnedTable, time: AnyPgColumn): Older =>
  (organisationId, beforeMs) =>
    someWhere(table, sql`${table.organisationId} = ${organisationId} and ${time} < ${beforeMs}`);

/** A detail has only its trace's id; those of deleted traces went before them. */
const details: Older = (organisationId, beforeMs) => sql`delete from trace_detail where id in (
    select trace.id from trace join trace_detail on trace_detail.id = trace.id
    where trace.organisation_id = ${organisationId} and trace.${MODES} and trace.id < ${uuidAt(beforeMs)}::uuid limit ${AT_ONCE})
  returning id`;

/** Each kind's tables, in the order in which rows may be deleted. */
const TABLES = {
  details: [details],
  traces: [byId('trace'), byId('screening')],
  outcomes: [
    byTime(outcome, outcome.reportedAt),
    byTime(deliveryReport, deliveryReport.at),
    byTime(mailReport, mailReport.at),
  ],
  events: [byId('event'), byTime(processorReference, processorReference.seenAt)],
} as const satisfies Record<string, readonly Older[]>;
type StoredKind = keyof typeof TABLES;
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
  for (const older of TABLES[kind]) {
    const found = await deleteAll(db, older(organisationId, beforeMs), isLate);
    deleted += found.deleted;
    if (!found.done) return { deleted, done: false };
  }
  return { deleted, done: true };
}

/** Rows of all organisations that expire by their time. Traces, screenings and events go by partition. */
const EXPIRING: Readonly<Record<string, { table: PgTable; time: AnyPgColumn; keptMs: number }>> = {
  outcomes: { table: outcome, time: outcome.reportedAt, keptMs: 400 * DAY_MS },
  reports: { table: deliveryReport, time: deliveryReport.at, keptMs: 400 * DAY_MS },
  references: { table: processorReference, time: processorReference.seenAt, keptMs: 400 * DAY_MS },
  mailReports: { table: mailReport, time: mailReport.at, keptMs: 400 * DAY_MS },
  // Longer than any service repeats a webhook.
  webhookTokens: { table: webhookToken, time: webhookToken.seenAt, keptMs: 3 * DAY_MS },
  auditLines: { table: auditLine, time: auditLine.at, keptMs: AUDIT_LIFETIME_MS },
};

/** Deletes expired rows, and what concurrent writes left of deleted organisations; returns how many of each. */
export async function deleteExpiredRows(db: Database, nowMs: number): Promise<Readonly<Record<string, number>>> {
  const deleted: Record<string, number> = {};
  for (const [name, { table, time, keptMs }] of Object.entries(EXPIRING))
    deleted[name] = (await deleteAll(db, someWhere(table, sql`${time} < ${nowMs - keptMs}`))).deleted;
  deleted.calibrations = await deleteOrphans(db, calibration);
  deleted.steps = await deleteOrphans(db, nightlyStep);
  return deleted;
}
