import { addTotal, addTotals, type CounterTotal, type CounterTotals } from '../domain/metering/counter-totals.ts';
import type { WrittenCounters } from '../kernel/counters.ts';

/** An invocation may write 250 points (developers.cloudflare.com/analytics/analytics-engine/limits); what is left waits for the next. */
export const POINTS_MAX = 100;

type Totals = Record<string, CounterTotal>;

/**
 * What this isolate has counted: `unwritten` for Analytics Engine, `unsent` for the operators' object. Invocations can share both,
 * because figures only add up.
 */
const unwritten: Totals = {};
let unsent: Totals = {};

/** Sends what was counted since the last time. What could not be sent stays for the next time. */
export async function flushCounters(
  send: (counters: CounterTotals) => Promise<{ readonly ok: boolean }>,
): Promise<void> {
  const counted = unsent;
  unsent = {};
  const sent = await send(counted);
  if (!sent.ok) unsent = addTotals(counted, unsent);
}

/** Counters that are summed here and written at the end of an invocation: one point a name and label, with sum, count and maximum. */
export function analyticsCounters(dataset: AnalyticsEngineDataset): WrittenCounters {
  return {
    add(name, value, label = '') {
      const key = label === '' ? name : `${name}:${label}`;
      const one = { count: 1, sum: value, max: value };
      addTotal(unwritten, key, one);
      addTotal(unsent, key, one);
    },
    write() {
      for (const [key, { count, sum, max }] of Object.entries(unwritten).slice(0, POINTS_MAX)) {
        delete unwritten[key];
        const [name = '', ...label] = key.split(':');
        try {
          dataset.writeDataPoint({ indexes: [name], blobs: [label.join(':')], doubles: [sum, count, max] });
        } catch {
          // A point that is lost costs less than the request that it counts.
          return;
        }
      }
    },
  };
}
