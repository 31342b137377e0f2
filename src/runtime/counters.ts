import { addTotals, type CounterTotal, type CounterTotals } from '../domain/metering/counter-totals.ts';
import type { Counters } from '../kernel/counters.ts';

/** What this isolate has counted and not sent yet. Requests can share it safely, because figures only add up. */
let unsent: Record<string, CounterTotal> = {};

/** Sends what was counted since the last time. What could not be sent stays for the next time. */
export async function flushCounters(
  send: (counters: CounterTotals) => Promise<{ readonly ok: boolean }>,
): Promise<void> {
  const counted = unsent;
  unsent = {};
  const sent = await send(counted);
  if (!sent.ok) unsent = { ...addTotals(counted, unsent) };
}

/** Counters that go to Analytics Engine (sampled, three months) and to `flushCounters`. */
export function analyticsCounters(dataset: AnalyticsEngineDataset): Counters {
  return {
    add(name, value, label = '') {
      dataset.writeDataPoint({ indexes: [name], blobs: [label], doubles: [value] });
      const key = label === '' ? name : `${name}:${label}`;
      const { count, sum, max } = unsent[key] ?? { count: 0, sum: 0, max: 0 };
      unsent[key] = { count: count + 1, sum: sum + value, max: Math.max(max, value) };
    },
  };
}
