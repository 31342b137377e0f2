import type { RetentionDays } from '../../domain/metering/organisation-settings.ts';
import { KEPT_DAYS } from '../../domain/privacy/retention.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { deleteOlder, STORED_KINDS } from '../../storage/postgres/retention.ts';
import type { Report } from './step.ts';

/** The rest is done when the message comes again. */
const BUDGET_MS = 5 * MINUTE_MS;

/** Deletes what an account keeps for less time than the service. Of the others, partitions and old rows go as a whole. */
export async function keepLess(db: Database, id: Id<'org'>, runAt: number, retention: RetentionDays): Promise<Report> {
  const endsAt = performance.now() + BUDGET_MS;
  const report: Record<string, number> = {};
  for (const kind of STORED_KINDS) {
    if (retention[kind] >= KEPT_DAYS[kind]) continue;
    const isLate = (): boolean => performance.now() >= endsAt;
    const { deleted, done } = await deleteOlder(db, id, kind, runAt - retention[kind] * DAY_MS, isLate);
    report[kind] = deleted;
    if (!done) return { ...report, done: false };
  }
  return report;
}
