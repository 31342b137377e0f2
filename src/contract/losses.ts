import * as z from 'zod';
import { EpochSeconds, VERSION_MAX, wholeNumber } from './common.ts';
import { type Purpose, Recommendation } from './vocabulary.ts';

/** More than any mistake costs: a larger number is in the wrong unit. */
const DOLLARS_MAX = 1e6;
const Dollars = z.number().min(0).max(DOLLARS_MAX);

/** The cost of each mistake, in US dollars. */
export const Losses = z.strictObject({
  bounce: Dollars.describe('A message sent to an address that bounces.'),
  contact_lost: Dollars.describe('A good contact dropped.'),
  held_good: Dollars.describe('A good contact held or challenged.'),
  held_bad: Dollars.describe('A bad address held or challenged.'),
});
export type Losses = z.infer<typeof Losses>;

const BY_PURPOSE = {
  outbound: Losses.describe('If you are about to write to the address.'),
  signup: Losses.describe('If somebody signs up.'),
  list_hygiene: Losses.describe('If a list is cleaned.'),
} as const satisfies Record<Purpose, typeof Losses>;

/** Strict, as a policy is: a misspelt purpose would otherwise be ignored silently. */
export const PutLossesRequest = z
  .strictObject(BY_PURPOSE)
  .partial()
  .describe('An omitted purpose has the service’s own losses.');
export type PutLossesRequest = z.infer<typeof PutLossesRequest>;

export const AccountLosses = z.strictObject({
  version: z.number().int().min(0).describe('0: the service’s own losses, until you set yours.'),
  ...BY_PURPOSE,
  created_at: EpochSeconds.nullable().describe('Null for version 0.'),
  created_by: z.string().nullable().describe('A user or a key; null for version 0.'),
});
export type AccountLosses = z.infer<typeof AccountLosses>;
export const LossesResponse = z.object({ losses: AccountLosses.describe('Your losses.') });
export const LossesQuery = z.object({
  version: wholeNumber(0, VERSION_MAX)
    .optional()
    .describe('An older version, 0 for the service’s own; the newest by default.'),
});

export const SimulateLossesRequest = z.object({
  losses: PutLossesRequest.default({}).describe('As for `PUT`; the service’s own by default.'),
  window_days: z.number().int().min(1).max(365).default(90).describe('How many days back traces are looked at.'),
});

/** What other losses would have recommended. */
export const LossSimulation = z.object({
  window_days: z.number().int().describe('As in the request.'),
  complete: z
    .boolean()
    .describe('False: the window has more traces than were looked at in the time there is, the newest first.'),
  traces: z.number().int().describe('Traces looked at: those of `counts` and the `undetermined` ones.'),
  counts: z.record(Recommendation, z.number().int()).describe('What would be recommended.'),
  undetermined: z.number().int().describe('The trace’s detail is gone: it is stored for 90 days.'),
  changed: z
    .array(
      z.object({
        from: Recommendation.describe('What was recommended.'),
        to: Recommendation.describe('What would be recommended.'),
        count: z.number().int().describe('The number of traces.'),
      }),
    )
    .describe('The most frequent pair first.'),
  sample_trace_ids: z.array(z.string()).max(20).describe('Traces whose recommendation changes.'),
});
export type LossSimulation = z.infer<typeof LossSimulation>;
