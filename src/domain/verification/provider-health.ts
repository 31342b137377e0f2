import { SECOND_MS } from '../../kernel/clock.ts';
import type { ProviderId } from './provider.ts';
import type { ProviderHealth } from './provider-terms.ts';

/** Calls looked back on: enough for a quantile, few enough to notice a change within a minute of traffic. */
const CALLS_KEPT = 30;
/** Before anything is known: the vendors' own words put most answers between 0.3 and 2 s (1.5 s assumed). */
const LATENCY_ASSUMED_MS = 1_500;
const LATENCY_QUANTILE = 0.9;
/** Failures in a row that open the circuit, and how long nobody is asked then. One call after that tries again. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30 * SECOND_MS;
/** One failure among a few calls says little: as if this many calls, one in fifty failing, had gone before. */
const PRIOR_CALLS = 10;
const PRIOR_FAILURE_RATE = 0.02;

interface Record {
  readonly calls: { readonly ms: number; readonly failed: boolean }[];
  failuresInARow: number;
  openUntil: number;
}

/**
 * How the providers are doing, as this isolate has seen it: a cache safe to share between requests, for it only ever
 * notes what is settled.
 */
export class ProviderHealthBook {
  private readonly records = new Map<ProviderId, Record>();

  healthOf(id: ProviderId, now: number): ProviderHealth {
    const record = this.records.get(id);
    if (!record) return { latencyMs: LATENCY_ASSUMED_MS, failureRate: PRIOR_FAILURE_RATE, open: false };
    const answered = record.calls.filter((call) => !call.failed).map((call) => call.ms);
    const failed = record.calls.length - answered.length;
    return {
      latencyMs: quantile([LATENCY_ASSUMED_MS, ...answered], LATENCY_QUANTILE),
      failureRate: (PRIOR_FAILURE_RATE * PRIOR_CALLS + failed) / (PRIOR_CALLS + record.calls.length),
      open: record.openUntil > now,
    };
  }

  /** Notes one settled call. A call we gave up ourselves says nothing and is not noted. */
  note(id: ProviderId, ms: number, failed: boolean, now: number): void {
    const record = this.records.get(id) ?? { calls: [], failuresInARow: 0, openUntil: 0 };
    this.records.set(id, record);
    record.calls.push({ ms, failed });
    if (record.calls.length > CALLS_KEPT) record.calls.shift();
    record.failuresInARow = failed ? record.failuresInARow + 1 : 0;
    if (record.failuresInARow >= FAILURES_TO_OPEN) record.openUntil = now + OPEN_MS;
  }
}

function quantile(values: number[], share: number): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
