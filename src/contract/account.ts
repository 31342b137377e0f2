import * as z from 'zod';
import { EpochSeconds, Usd } from './common.ts';
import { KeyOrigin, Role } from './vocabulary.ts';

export const Identity = z.object({
  account_id: z.string().describe('The account: `acct_…`.'),
  org: z
    .object({ id: z.string().describe('`org_…`.'), name: z.string().describe('Its name.') })
    .describe('The organisation of the key.'),
  key: z
    .object({ id: z.string().describe('`key_…`.'), role: Role, origin: KeyOrigin })
    .describe('The key of this request.'),
  operator: z.boolean().describe('Whether the key may use the operator API.'),
  owner_user_id: z.string().nullable().describe('Deprecated: the user who created the key.'),
});
export type Identity = z.infer<typeof Identity>;

const Count = z.number().int().min(0);

const Budget = z.object({
  limit_usd: Usd.nullable().describe('Null: unlimited. 0 allows nothing.'),
  used_usd: Usd.describe('Including reservations of running requests.'),
});

export const Usage = z.object({
  period: z.object({ from: EpochSeconds, to: EpochSeconds }).describe('The current UTC month.'),
  calls: z
    .object({
      verify: Count.describe('Verifications of single addresses.'),
      check: Count.describe('Free checks.'),
      screen: Count.describe('Screenings.'),
      decide: Count.describe('Decisions.'),
      bulk: Count.describe('Addresses of files that were verified.'),
    })
    .describe('Calls of the current month.'),
  provider_spend_usd: Usd.describe(
    'The most that vendors may bill for this month: providers, screening’s model, enrichment. An abandoned or interrupted call counts its price, which no answer’s `cost_usd` includes.',
  ),
  quota: z
    .object({
      limit: z.number().int().describe('Verifications a month; 0 or less: unmetered.'),
      used: Count.describe('Verifications, decisions and addresses of files so far.'),
      remaining: Count.nullable().describe('The rest; null when unmetered.'),
      unmetered: z.boolean().describe('The account has no limit.'),
    })
    .describe('The month’s verifications.'),
  screening: z
    .object({
      used: Count.nullable().describe('Screenings so far; null when it could not be read.'),
      quota: z.number().int().describe('Screenings a month; 0 or less: unmetered.'),
      unmetered: z.boolean().describe('The account has no limit.'),
      period: z.literal('utc_month').describe('What the quota is for.'),
    })
    .describe('The month’s screenings.'),
  bulk: z
    .object({
      jobs_this_month: Count.describe('Jobs created.'),
      rows_this_month: Count.describe('Addresses of files that were verified.'),
    })
    .describe('Files of the month.'),
  budgets: z
    .object({
      providers: Budget.describe('The providers’ budget.'),
      enrichment: Budget.describe('The enrichment budget.'),
    })
    .describe('The month’s budgets. Admins get a mail at 80 and at 100 % of each, and of each quota.'),
});
export type Usage = z.infer<typeof Usage>;

export const Health = z.object({
  status: z
    .enum(['ok', 'misconfigured'])
    .describe('`misconfigured`: a setting that the service needs is wrong or missing; what needs it answers 503.'),
  version: z.string().describe('The release that answers.'),
});
export type Health = z.infer<typeof Health>;
