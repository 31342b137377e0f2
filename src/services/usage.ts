import { ROUTES } from '../contract/routes.ts';
import { type KeyIdentity, writtenBy } from '../domain/access/keys.ts';
import {
  monthBounds,
  monthBudgets,
  screeningQuota,
  usd,
  utcMonth,
  vendorSpendUsd,
  verificationQuota,
} from '../domain/metering/usage.ts';
import { DAY_MS, epochSeconds, SECOND_MS } from '../kernel/clock.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { askObject, callObject } from '../organisation/api.ts';
import {
  dayOf,
  listUsageDays,
  USAGE_DAYS_KEPT,
  type UsagePoint,
  type UsageSplit,
} from '../storage/postgres/usage-days.ts';
import { verb } from './verb.ts';

export const readUsage = verb({
  route: ROUTES.usage,
  run: async ({ deps, organisationId }) => {
    const { usage, limits } = await askObject(deps.objects, organisationId).usage();
    const { fromMs, toMs } = monthBounds(usage.month);
    const { used, limit, unmetered } = screeningQuota(usage, limits);
    return {
      period: { from: epochSeconds(fromMs), to: epochSeconds(toMs) },
      calls: { ...usage.calls },
      provider_spend_usd: vendorSpendUsd(usage),
      quota: verificationQuota(usage, limits),
      screening: { used, quota: limit, unmetered, period: 'utc_month' as const },
      budgets: monthBudgets(usage, limits),
      bulk: { jobs_this_month: usage.bulkJobs, rows_this_month: usage.calls.bulk },
    };
  },
});

const DEFAULT_DAYS = 30;

/** Calls by day or month, from the rollup that is written with them, without those of test keys. */
export const readUsageSeries = verb({
  route: ROUTES.usageSeries,
  parse: ({ query: { from, to, interval, by, key_id: asked, ...facets } }, { startedAt }) => {
    const toDay = dayOf(to === undefined ? startedAt : to * SECOND_MS);
    const fromDay = from === undefined ? toDay - DEFAULT_DAYS + 1 : dayOf(from * SECOND_MS);
    const isBackwards = from !== undefined && to !== undefined && from > to;
    if (isBackwards || fromDay > toDay || toDay - fromDay >= USAGE_DAYS_KEPT)
      throw new DomainError('invalid_request', `\`from\` to \`to\` are 1 to ${USAGE_DAYS_KEPT} days.`);
    return { fromDay, toDay, interval, by: by ?? null, asked, facets };
  },
  run: async ({ deps, organisationId, authorized: { key } }, { fromDay, toDay, interval, by, asked, facets }) => {
    if ((by === 'key' || asked !== undefined) && key.mode === 'test')
      throw new DomainError('forbidden', 'A test key sees no other key here: use a live key.');
    // What the object still holds.
    await callObject(deps.objects, organisationId).flush(null);
    const keyId = countedKey(key, by, asked);
    const points =
      keyId === 'none' ? [] : await listUsageDays(deps.db, organisationId, { fromDay, toDay, keyId, facets }, by);
    return {
      from: epochSeconds(fromDay * DAY_MS),
      to: epochSeconds((toDay + 1) * DAY_MS),
      interval,
      series: seriesOf(points, interval),
    };
  },
});

/**
 * The key whose calls are counted; null means all keys'. Split by key, one below admin sees only itself; else it may
 * ask for each key whose traces it sees.
 */
function countedKey(key: KeyIdentity, by: UsageSplit | null, asked: string | undefined): Id<'key'> | null | 'none' {
  if (by !== 'key' || key.role === 'admin') return asked === undefined ? null : writtenBy(key, asked);
  return asked === undefined || asked === key.id ? key.id : 'none';
}

function seriesOf(points: readonly UsagePoint[], interval: 'day' | 'month') {
  const startOf = (day: number): number =>
    interval === 'day' ? day * DAY_MS : Date.parse(`${utcMonth(day * DAY_MS)}-01T00:00:00Z`);
  const series = new Map<string | null, Map<number, { calls: number; costMicros: number }>>();
  for (const { day, value, calls, costMicros } of points) {
    const line = series.get(value) ?? new Map<number, { calls: number; costMicros: number }>();
    const before = line.get(startOf(day)) ?? { calls: 0, costMicros: 0 };
    line.set(startOf(day), { calls: before.calls + calls, costMicros: before.costMicros + costMicros });
    series.set(value, line);
  }
  return Array.from(series, ([value, line]) => ({
    value,
    points: Array.from(line, ([at, { calls, costMicros }]) => ({
      at: epochSeconds(at),
      calls,
      cost_usd: usd(costMicros),
    })),
  }));
}
