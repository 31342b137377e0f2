import { describe, expect, it } from 'vitest';
import type { CounterTotals } from '../../../src/domain/metering/counter-totals.ts';
import { analyticsCounters, flushCounters, POINTS_MAX } from '../../../src/runtime/monitoring.ts';

it('unsent counts are sent the next time, with what came meanwhile', async () => {
  const counters = analyticsCounters({ writeDataPoint: () => undefined });
  const told: CounterTotals[] = [];
  const tell = (ok: boolean, meanwhile: () => void = () => undefined) =>
    flushCounters(async (counted) => {
      told.push(counted);
      meanwhile();
      return { ok };
    });
  await tell(true);
  counters.add('object_ms', 2, 'authorize');
  await tell(false, () => counters.add('object_ms', 5, 'authorize'));
  counters.add('dns_ms', 1);
  await tell(true);
  await tell(true);
  expect(told.slice(1)).toEqual([
    { 'object_ms:authorize': { count: 1, sum: 2, max: 2 } },
    { 'object_ms:authorize': { count: 2, sum: 7, max: 5 }, dns_ms: { count: 1, sum: 1, max: 1 } },
    {},
  ]);
  counters.write();
});

describe('the points of one invocation', () => {
  it('are one a name and label, whatever was counted', () => {
    const points: AnalyticsEngineDataPoint[] = [];
    const counters = analyticsCounters({ writeDataPoint: (point) => void points.push(point ?? {}) });
    for (let domain = 1; domain <= 1_000; domain += 1) counters.add('dns_ms', domain, 'found');
    counters.add('object_failed', 1, 'authorize:timeout');
    counters.write();
    counters.write();
    expect(points).toEqual([
      { indexes: ['dns_ms'], blobs: ['found'], doubles: [500_500, 1_000, 1_000] },
      { indexes: ['object_failed'], blobs: ['authorize:timeout'], doubles: [1, 1, 1] },
    ]);
  });

  it('stay far below the platform’s limit: the rest waits for the next invocation', () => {
    let points = 0;
    const counters = analyticsCounters({ writeDataPoint: () => void (points += 1) });
    for (let label = 0; label < 150; label += 1) counters.add('object_ms', 1, `${label}`);
    counters.write();
    expect(points).toBe(POINTS_MAX);
    counters.write();
    expect(points).toBe(150);
  });

  it('may be refused: nothing is thrown', () => {
    const counters = analyticsCounters({
      writeDataPoint: () => {
        throw new Error('too many');
      },
    });
    counters.add('dns_ms', 1);
    expect(() => counters.write()).not.toThrow();
  });
});
