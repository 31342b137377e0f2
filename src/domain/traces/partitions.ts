import { DAY_MS } from '../../kernel/clock.ts';
import { uuidAt } from '../../kernel/ids.ts';

interface PartitionedTable {
  readonly table: string;
  /** How long a row is kept, by the time in its id. */
  readonly keptDays: number;
}

export const PARTITIONED_TABLES: readonly PartitionedTable[] = [
  { table: 'trace', keptDays: 400 },
  // What replays a trace is most of its size, and no list shows it.
  { table: 'trace_detail', keptDays: 90 },
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
