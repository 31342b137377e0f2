import { sql } from 'drizzle-orm';
import { DAY_MS } from '../../kernel/clock.ts';
import { uuidAt } from '../../kernel/ids.ts';
import { type Database, sqlState } from './client.ts';

interface PartitionedTable {
  readonly table: string;
  /** How long a row is kept, by the time in its id. */
  readonly keptDays: number;
}

export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  { table: 'trace', keptDays: 400 },
  // What replays a trace is most of its size, and no list shows it.
  { table: 'trace_detail', keptDays: 90 },
  { table: 'screening', keptDays: 400 },
  { table: 'event', keptDays: 400 },
];

/** One UTC month of ids. */
export interface MonthPartition {
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

/** The partitions that hold ids of these instants, each once. */
export const monthPartitions = (times: Iterable<number>): MonthPartition[] => [
  ...new Map(Array.from(times, (ms) => monthPartition(ms)).map((part) => [part.suffix, part])).values(),
];

const MONTH_SUFFIX = /^_(?<year>\d{4,6})_(?<month>\d\d)$/;

/** Of a table's partitions (`trace_2026_11`), those past retention to their month's last instant. */
export const expiredPartitions = (
  { table, keptDays }: PartitionedTable,
  partitions: readonly string[],
  nowMs: number,
): string[] =>
  partitions.filter((name) => {
    const month = name.startsWith(table) ? MONTH_SUFFIX.exec(name.slice(table.length))?.groups : undefined;
    // Months count from 0: this one's number is the next one's.
    return month !== undefined && Date.UTC(Number(month.year), Number(month.month)) + keptDays * DAY_MS <= nowMs;
  });

/** SQLSTATE check_violation: also what Postgres says of a row that no partition takes. */
const NO_PARTITION = '23514';

/** Inserts rows whose ids have these times. The first row of a month creates its partition, so no timer has to be on time. */
export async function insertPartitioned(
  db: Database,
  tables: readonly string[],
  times: () => readonly number[],
  insert: () => Promise<unknown>,
): Promise<void> {
  try {
    await insert();
  } catch (error) {
    if (sqlState(error) !== NO_PARTITION) throw error;
    await createPartitions(db, tables, times());
    await insert();
  }
}

/** `if not exists` still raises this when two connections create the same table at once. */
const DUPLICATE_TABLE = '42P07';

/** Makes the months' partitions; one that is there, or being made, is left alone. */
export async function createPartitions(
  db: Database,
  tables: readonly string[],
  times: readonly number[],
): Promise<void> {
  for (const { suffix, fromUuid, toUuid } of monthPartitions(times)) {
    for (const table of tables) {
      const range = `for values from ('${fromUuid}') to ('${toUuid}')`;
      await db
        .execute(sql.raw(`create table if not exists ${table}_${suffix} partition of ${table} ${range}`))
        .catch((error: unknown) => {
          if (sqlState(error) !== DUPLICATE_TABLE) throw error;
        });
    }
  }
}

/** A reader in our way may finish; a statement that queues behind us waits at most this long. */
const DROP_LOCK_TIMEOUT = '1s';

/** SQLSTATE lock_not_available: the lock's time is up. */
const LOCKED = '55P03';

/** What a run of retention did, by partition. */
export interface DroppedPartitions {
  readonly dropped: readonly string[];
  /** In use for too long: left for the next run. */
  readonly busy: readonly string[];
}

/** Drops each month whose rows are all past retention. Run again, or by several at once, it finds nothing more to do. */
export async function dropExpiredPartitions(db: Database, nowMs: number): Promise<DroppedPartitions> {
  const [dropped, busy]: [string[], string[]] = [[], []];
  for (const partitioned of PARTITIONED_TABLES) {
    const { table } = partitioned;
    const { rows } = (await db.execute(
      sql`select relname as name from pg_inherits join pg_class on oid = inhrelid where inhparent = ${table}::regclass order by 1`,
    )) as { rows: { name: string }[] };
    const names = rows.map(({ name }) => name);
    for (const name of expiredPartitions(partitioned, names, nowMs)) {
      ((await dropPartition(db, table, name)) ? dropped : busy).push(name);
    }
  }
  return { dropped, busy };
}

/** False: somebody else held it for too long. */
async function dropPartition(db: Database, table: string, name: string): Promise<boolean> {
  // One statement, so that the time limit ends with it on any driver. A drop locks the table too, but looks for the partition
  // first, and fails when another run takes that away meanwhile.
  const statement = `do $$ begin
    set local lock_timeout = '${DROP_LOCK_TIMEOUT}';
    lock table only ${table} in access exclusive mode;
    drop table if exists ${name};
  end $$`;
  try {
    await db.execute(sql.raw(statement));
    return true;
  } catch (error) {
    if (sqlState(error) !== LOCKED) throw error;
    return false;
  }
}
