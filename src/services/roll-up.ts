import { DAY_MS } from '../kernel/clock.ts';
import { type Id, newId } from '../kernel/ids.ts';
import type { Database } from '../storage/postgres/client.ts';
import * as days from '../storage/postgres/insights/days.ts';
import { expireDay, listExpiredDays, takeEvents, takeTraces } from '../storage/postgres/insights/intake.ts';
import { claimRun, listChangedDays, markChanged, type Run, release } from '../storage/postgres/insights/run.ts';
import * as totals from '../storage/postgres/insights/totals.ts';

/** Days of exposure counted anew, rows of changed days read, and whether the new numbers are in force. */
interface RollUpReport {
  readonly days: number;
  readonly exposures: number;
  readonly events: number;
  readonly done: boolean;
}

/** All windows end with the current day. */
const WINDOW_DAYS = 365;

/**
 * Brings an organisation's segments up to `now` (epoch milliseconds) within `budgetMs`. The next run goes on where one ended
 * early or was killed. An address is counted as long as its traces are kept. It counts only the days that an exposure or event has changed; over the same data it changes nothing.
 */
export async function rollUpOrganisation(
  db: Database,
  organisationId: Id<'org'>,
  now: number,
  budgetMs: number,
  keptDays: number = WINDOW_DAYS,
): Promise<RollUpReport> {
  const toDay = Math.floor(now / DAY_MS);
  const windowDays = Math.min(keptDays, WINDOW_DAYS);
  const run: Run = { db, organisationId, run: newId('rq', now), fromDay: toDay - windowDays + 1, toDay };
  const endsAt = performance.now() + budgetMs;
  const report = { days: 0, exposures: 0, events: 0, done: false };
  const isLate = (): boolean => performance.now() >= endsAt;
  const state = await claimRun(run);
  const next = state.generation + 1;
  let isBuilding = state.buildingAt !== null;
  if (!isBuilding) {
    const counted = await countChanges(run, report, isLate);
    if (counted === 'late') return leave(run, report);
    isBuilding = counted === 'changed' || state.changed || state.computedAt === null;
    if (isBuilding) await totals.selectCells(run, next, now);
  }
  if (isBuilding && !(await addUp(run, next, state.built, isLate))) return leave(run, report);
  const done = await totals.publish(run, now);
  if (done && isBuilding) {
    await totals.dropGenerations(run);
    await totals.dropUnused(run);
  }
  // The rest of an earlier night is in force; now comes what happened since.
  const isOlder = state.buildingAt !== null && state.buildingAt < now;
  return done && isOlder
    ? rollUpOrganisation(db, organisationId, now, endsAt - performance.now(), keptDays)
    : { ...report, done };
}

async function leave(run: Run, report: RollUpReport): Promise<RollUpReport> {
  await release(run);
  return report;
}

type Counts = { -readonly [K in 'days' | 'exposures' | 'events']: number };

async function countChanges(run: Run, report: Counts, isLate: () => boolean): Promise<'same' | 'changed' | 'late'> {
  const expired = await listExpiredDays(run);
  const traceDays = await listChangedDays(run, 'trace');
  const changes = [expired, traceDays, await listChangedDays(run, 'event'), await days.listStaleDays(run)];
  if (changes.every(({ length }) => length === 0)) return 'same';
  await markChanged(run);
  for (const day of expired) {
    if (isLate()) return 'late';
    await expireDay(run, day);
  }
  for (const source of traceDays) {
    if (isLate()) return 'late';
    await takeTraces(run, source);
    report.exposures += source.rows;
  }
  for (const source of await listChangedDays(run, 'event')) {
    if (isLate()) return 'late';
    await takeEvents(run, source);
    report.events += source.rows;
  }
  for (const day of await days.listStaleDays(run)) {
    if (isLate()) return 'late';
    await days.countDay(run, day);
    report.days += 1;
  }
  return 'changed';
}

/** False: time is up. */
async function addUp(run: Run, generation: number, built: string | null, isLate: () => boolean): Promise<boolean> {
  for (const metric of await totals.listTotalMetrics(run, generation)) {
    if (built !== null && metric <= built) continue;
    if (isLate()) return false;
    await totals.addTotals(run, generation, metric);
  }
  return true;
}
