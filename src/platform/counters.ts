/** Counters of the service's own health. Labels are closed sets (codes, provider ids): never an id of a customer's. */
export interface Counters {
  /** Counts one `value` (milliseconds, rows, micros) of `name`. */
  add(name: CounterName, value: number, label?: string): void;
}

export type CounterName =
  | 'object_ms'
  | 'object_failed'
  | 'outbox_rows'
  | 'outbox_age_ms'
  | 'dns_ms'
  | 'provider_ms'
  | 'provider_failed'
  | 'provider_spend_micros'
  | 'provider_owed_micros'
  | 'model_ms'
  | 'model_failed'
  | 'model_spend_micros'
  | 'enrichment_ms'
  | 'enrichment_failed'
  | 'enrichment_spend_micros'
  | 'cron_step_ms';

interface CounterTotal {
  count: number;
  sum: number;
  max: number;
}

/** Totals of this isolate since it started: safe to share between requests, they only ever add up. */
const totals = new Map<string, CounterTotal>();

export const isolateTotals = (): Record<string, CounterTotal> => Object.fromEntries(totals);

/** Counters that go to Analytics Engine (sampled, three months) and to this isolate's totals. */
export function analyticsCounters(dataset: AnalyticsEngineDataset): Counters {
  return {
    add(name, value, label = '') {
      dataset.writeDataPoint({ indexes: [name], blobs: [label], doubles: [value] });
      const key = label === '' ? name : `${name}:${label}`;
      const total = totals.get(key) ?? { count: 0, sum: 0, max: 0 };
      total.count += 1;
      total.sum += value;
      total.max = Math.max(total.max, value);
      totals.set(key, total);
    },
  };
}
