import type { Counters } from '../kernel/counters.ts';

interface CounterTotal {
  count: number;
  sum: number;
  max: number;
}

/** What this isolate has counted and not told yet: safe to share between requests, figures only ever add up. */
let untold: Record<string, CounterTotal> = {};

/** What has been counted since it was taken last. */
export function takeCounters(): Readonly<Record<string, Readonly<CounterTotal>>> {
  const taken = untold;
  untold = {};
  return taken;
}

/** Counters that go to Analytics Engine (sampled, three months) and to what the isolate tells of itself. */
export function analyticsCounters(dataset: AnalyticsEngineDataset): Counters {
  return {
    add(name, value, label = '') {
      dataset.writeDataPoint({ indexes: [name], blobs: [label], doubles: [value] });
      const key = label === '' ? name : `${name}:${label}`;
      const total = untold[key] ?? { count: 0, sum: 0, max: 0 };
      total.count += 1;
      total.sum += value;
      total.max = Math.max(total.max, value);
      untold[key] = total;
    },
  };
}
