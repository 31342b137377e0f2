import * as z from 'zod';
import { EpochSeconds, Usd } from './common.ts';
import { KeyOrigin, Role } from './vocabulary.ts';

export const Identity = z.object({
  account_id: z.string(),
  org: z.object({ id: z.string(), name: z.string() }),
  key: z.object({ id: z.string(), role: Role, origin: KeyOrigin }),
  operator: z.boolean(),
  owner_user_id: z.string().nullable().describe('Deprecated: the user who created the key.'),
});
export type Identity = z.infer<typeof Identity>;

const Count = z.number().int().min(0);

export const Usage = z.object({
  period: z.object({ from: EpochSeconds, to: EpochSeconds }).describe('The running UTC month.'),
  calls: z.object({ verify: Count, check: Count, screen: Count, decide: Count, bulk: Count }),
  provider_spend_usd: Usd.describe(
    'The most that vendors may bill for this month: providers, screening’s model, enrichment. A call that was given up, or failed midway, counts its price, though the `cost_usd` of no answer shows it.',
  ),
  quota: z.object({
    limit: z.number().int(),
    used: Count,
    remaining: Count.nullable().describe('Null when unmetered.'),
    unmetered: z.boolean(),
  }),
  screening: z.object({
    used: Count.nullable().describe('Null when it could not be read.'),
    quota: z.number().int(),
    unmetered: z.boolean(),
    period: z.literal('utc_month'),
  }),
  bulk: z.object({ jobs_this_month: Count, rows_this_month: Count }),
});
export type Usage = z.infer<typeof Usage>;

export const Health = z.object({
  status: z
    .enum(['ok', 'misconfigured'])
    .describe('`misconfigured`: a setting that the service needs is wrong or missing; what needs it answers 503.'),
  version: z.string(),
});
export type Health = z.infer<typeof Health>;
