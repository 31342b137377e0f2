import * as z from 'zod';
import { Usd } from './common.ts';

export const BULK_STATES = [
  'uploading',
  'ready',
  'queued',
  'running',
  'paused_quota',
  'done',
  'failed',
  'cancelled',
  'expired',
] as const;
export const BulkState = z.enum(BULK_STATES);
export type BulkState = z.infer<typeof BulkState>;

/** Why a file could not be read, or a job not finished. */
export const BulkErrorCode = z.enum([
  'empty_file',
  'not_text',
  'no_rows',
  'too_many_rows',
  'unclosed_quote',
  'internal_error',
  'expired_unfinished',
]);
export type BulkErrorCode = z.infer<typeof BulkErrorCode>;

const Count = z.number().int().min(0);

export const BulkEstimate = z.object({
  rows_unique: Count,
  verifications: Count.describe('Addresses that will be metered.'),
  skipped: Count,
  cached: Count,
  cached_estimated: z.boolean().describe('`cached` was counted on a sample and scaled.'),
  to_verify: Count,
  quota_remaining: Count.nullable().describe('Null when unmetered.'),
  fits: z.boolean(),
  max_cost_usd: Usd,
  expected_cost_usd: Usd,
  enrichment_max_cost_usd: Usd,
});
export type BulkEstimate = z.infer<typeof BulkEstimate>;
