import { expect, it } from 'vitest';
import type { CounterTotals } from '../../../src/domain/metering/counter-totals.ts';
import { analyticsCounters, flushCounters } from '../../../src/runtime/counters.ts';

it('what was counted and could not be told is told the next time, with what came meanwhile', async () => {
  const counters = analyticsCounters({ writeDataPoint: () => undefined });
  const told: CounterTotals[] = [];
  const tell = (ok: boolean, meanwhile: () => void = () => undefined) =>
    flushCounters(async (counted) => {
      told.push(counted);
      meanwhile();
      return { ok };
    });
  await tell(true);
  counters.add('object_ms', 2, 'admit');
  await tell(false, () => counters.add('object_ms', 5, 'admit'));
  counters.add('dns_ms', 1);
  await tell(true);
  await tell(true);
  expect(told.slice(1)).toEqual([
    { 'object_ms:admit': { count: 1, sum: 2, max: 2 } },
    { 'object_ms:admit': { count: 2, sum: 7, max: 5 }, dns_ms: { count: 1, sum: 1, max: 1 } },
    {},
  ]);
});
