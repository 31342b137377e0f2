import { ROUTES } from '../../contract/routes.ts';
import { usd, utcMonth } from '../../domain/metering/usage.ts';
import { DAY_MS, epochSeconds, SECOND_MS } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { callObject } from '../../organisation/api.ts';
import { dayOf, listUsageDays, USAGE_DAYS_KEPT, type UsagePoint } from '../../storage/postgres/usage-days.ts';
import { verb } from '../verb.ts';

const DEFAULT_DAYS = 30;

/** Calls by day or month, of the rollup that is written with them. Test keys’ calls are not in it. */
export const readUsageSeries = verb({
  route: ROUTES.usageSeries,
  parse: ({ query: { from, to, interval, by } }, { startedAt }) => {
    const toDay = dayOf(to === undefined ? startedAt : to * SECOND_MS);
    const fromDay = from === undefined ? toDay - DEFAULT_DAYS + 1 : dayOf(from * SECOND_MS);
    const isBackwards = from !== undefined && to !== undefined && from > to;
    if (isBackwards || fromDay > toDay || toDay - fromDay >= USAGE_DAYS_KEPT)
      throw new DomainError('invalid_request', `\`from\` to \`to\` are 1 to ${USAGE_DAYS_KEPT} days.`);
    return { fromDay, toDay, interval, by: by ?? null };
  },
  run: async ({ deps, organisationId, admitted: { key } }, { fromDay, toDay, interval, by }) => {
    if (by === 'key' && key.mode === 'test')
      throw new DomainError('forbidden', 'A test key sees no other key here: use a live key.');
    // What the object still holds.
    await callObject(deps.objects, organisationId).flush(null);
    const keyId = by === 'key' && key.role !== 'admin' ? key.id : null;
    const points = await listUsageDays(deps.db, organisationId, { fromDay, toDay, keyId }, by);
    return {
      from: epochSeconds(fromDay * DAY_MS),
      to: epochSeconds((toDay + 1) * DAY_MS),
      interval,
      series: seriesOf(points, interval),
    };
  },
});

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
