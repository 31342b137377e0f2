import type { BulkJob } from '../../src/contract/bulk.ts';
import { bar } from './print.ts';

const BAR_CELLS = 24;

/** How long a job has been looked at, and what of it was done when that began. */
export interface Look {
  readonly elapsedMs: number;
  readonly rowsBefore: number;
}

/**
 * A job in one line: how far it is, how fast it has been while looked at, what is left at that speed.
 * @param expectedCostUsd of the whole job; null where it is not known
 */
export function progressLine(
  { state, progress, rows }: Pick<BulkJob, 'state' | 'progress' | 'rows'>,
  { elapsedMs, rowsBefore }: Look,
  expectedCostUsd: number | null,
): string {
  const done = progress?.rows_done ?? rowsBefore;
  const total = Math.max(1, rows ?? 1);
  const rate = (done - rowsBefore) / Math.max(0.001, elapsedMs / 1_000);
  const parts = [
    `${state} ${bar(done, total, BAR_CELLS)} ${done}/${total}`,
    `${Math.round(rate)} rows/s`,
    rate === 0 ? null : `${Math.ceil((total - done) / rate)} s left`,
    expectedCostUsd === null ? null : `about $${((expectedCostUsd * done) / total).toFixed(2)}`,
  ];
  return parts.filter((part) => part !== null).join('  ');
}
