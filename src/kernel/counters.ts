/** Counters of the service's own health: none throws. Labels are closed sets (codes, provider ids), never a customer's id. */
export interface Counters {
  /** Counts one `value` (milliseconds, rows, micros) of `name`. */
  add(name: CounterName, value: number, label?: string): void;
}

/** Counters that are written at the end of each invocation. */
export interface WrittenCounters extends Counters {
  write(): void;
}

export type CounterName =
  | 'request_failed'
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
  | 'bounce_overruled'
  | 'cron_step_ms';
