import { uuidAt } from '../../kernel/ids.ts';

/** The partitioned tables: a month of each goes when it is too old. */
export const PARTITIONED_TABLES = ['trace', 'trace_detail'] as const;

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
