import type { InsightsQuery } from '../contract/insights.ts';
import { ROUTES } from '../contract/routes.ts';
import { storedTextFault } from '../contract/stored-text.ts';
import { experimentsOf, isFewerBetter } from '../domain/insights/experiments.ts';
import { findWeakSegments, isValidRule, recommendationOf } from '../domain/insights/recommend.ts';
import { rateSegments } from '../domain/insights/segments.ts';
import type { ParsedPolicy } from '../domain/policy/document.ts';
import { epochSeconds, DAY_MS } from '../kernel/clock.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, newId } from '../kernel/ids.ts';
import { askObject } from '../organisation/api.ts';
import type { Database } from '../storage/postgres/client.ts';
import {
  countDay,
  expireDay,
  listExpiredDays,
  listStaleDays,
  takeEvents,
  takeTraces,
} from '../storage/postgres/insights/intake.ts';
import {
  findWindow,
  listArms,
  listCells,
  listWeeklyCells,
  type RollupWindow,
} from '../storage/postgres/insights/read.ts';
import { claimRun, listChangedDays, markChanged, type Run, release } from '../storage/postgres/insights/run.ts';
import * as totals from '../storage/postgres/insights/totals.ts';
import { type Context, verb } from './verb.ts';

export const readSegments = verb({
  route: ROUTES.segments,
  run: async (context, { query }) => {
    const { metric, window_days } = query;
    const window = await openWindow(context, query);
    const cells = isKnown(window) ? await listCells(context.deps.db, context.organisationId, metric, window_days) : [];
    return { window_days, metric, join: window.join, ...rateSegments(cells), ...computed(window) };
  },
});

export const readRecommendations = verb({
  route: ROUTES.recommendations,
  run: async (context, { query }) => {
    const { metric, window_days } = query;
    const window = await openWindow(context, query);
    const cells =
      isFewerBetter(metric) || !isKnown(window)
        ? []
        : await listWeeklyCells(context.deps.db, context.organisationId, metric, window_days);
    const weak = findWeakSegments(cells, (key) => isValidRule(metric, key, storedTextFault));
    const recommendations = weak.map((segment) => recommendationOf(metric, window_days, segment));
    return { metric, window_days, ...computed(window), recommendations };
  },
});

/** Compares the arms of the experiments in the policy's newest version. */
export const readExperiments = verb({
  route: ROUTES.experiments,
  run: async (context, { params: { slug }, query }) => {
    const { deps, organisationId } = context;
    const window = await openWindow(context, query);
    const found = await askObject(deps.objects, organisationId).readPolicy({ slug, version: null });
    if (found === null) throw new DomainError('not_found', 'This policy does not exist.');
    const { rules } = JSON.parse(found.document) as ParsedPolicy;
    const counts = window.computedAt === null ? [] : await listArms(deps.db, organisationId, slug, query.window_days);
    return { experiments: experimentsOf(slug, rules, counts, query.metric), ...computed(window) };
  },
});

/** Before an organisation's first night. */
const NO_WINDOW: RollupWindow = { computedAt: null, counted: false, join: { exact: 0, by_email: 0, unmatched: 0 } };

/** The nightly roll-up. Events of test keys are in no segment, and test keys may not read those of live keys. */
const openWindow = async (
  { deps, organisationId, authorized }: Context,
  { metric, window_days }: InsightsQuery,
): Promise<RollupWindow> =>
  authorized.key.mode === 'test' ? NO_WINDOW : findWindow(deps.db, organisationId, metric, window_days);

const computed = ({ computedAt }: RollupWindow): { computed_at: number | null } => ({
  computed_at: computedAt === null ? null : epochSeconds(computedAt),
});

/** False if the metric's events were never counted. Without any event its rates are known, and near 0. */
const isKnown = ({ computedAt, counted, join }: RollupWindow): boolean =>
  computedAt !== null && (counted || join.exact + join.by_email + join.unmatched === 0);

/** Recounted days of exposure, rows read of changed days, and whether the new numbers are in force. */
interface RollUpReport {
  readonly days: number;
  readonly exposures: number;
  readonly events: number;
  readonly done: boolean;
}

/** All windows end with the current day. */
const WINDOW_DAYS = 365;

/**
 * Updates an organisation's segments up to `now` (epoch milliseconds) within `budgetMs`. The next run continues one
 * that ended early. Recounts only days that an exposure or event has changed; over the same data it changes nothing.
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
  const changes = [expired, traceDays, await listChangedDays(run, 'event'), await listStaleDays(run)];
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
  for (const day of await listStaleDays(run)) {
    if (isLate()) return 'late';
    await countDay(run, day);
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
