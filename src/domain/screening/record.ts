import type { ScreeningLabels, ScreeningRow } from '../../contract/screening.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/keys.ts';
import { usd } from '../metering/usage.ts';

export interface Labelled {
  readonly labels: ScreeningLabels;
  /** The corrected domain of `typo_suggestion`, stored in its place because it reveals nothing of the address. */
  readonly suggestedDomain: string | null;
  readonly costMicros: number;
}

/** A screening as stored for 400 days, without address and name. Times in epoch milliseconds, money in micros. */
export interface ScreeningRecord {
  readonly id: Id<'sc'>;
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  /** Null if the object was unreachable. */
  readonly keyId: Id<'key'> | null;
  readonly createdAt: number;
  readonly addressHash: string | null;
  readonly display: string;
  /** With `typo_suggestion` masked. */
  readonly screening: ScreeningLabels;
  readonly costMicros: number;
  readonly latencyMs: number;
}

export const screeningRow = (record: ScreeningRecord): ScreeningRow => ({
  trace_id: record.id,
  display: record.display,
  created_at: epochSeconds(record.createdAt),
  key_id: record.keyId,
  screening: record.screening,
  cost_usd: usd(record.costMicros),
  latency_ms: record.latencyMs,
});
