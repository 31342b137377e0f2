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
