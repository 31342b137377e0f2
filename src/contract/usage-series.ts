import * as z from 'zod';
import { EpochSeconds, Usd, wholeNumber } from './common.ts';
import { Decision } from './policy.ts';
import { Recommendation } from './vocabulary.ts';

export const UsageSeriesQuery = z.object({
  from: wholeNumber(0, 1e11).optional().describe('Epoch seconds, by default 29 days before `to`.'),
  to: wholeNumber(0, 1e11).optional().describe('Epoch seconds, by default now; its whole day counts.'),
  interval: z.enum(['day', 'month']).default('day').describe('UTC days or months.'),
  by: z
    .enum(['key', 'kind', 'decision', 'recommendation'])
    .optional()
    .describe('Splits the calls. `key`: a key below admin sees only its own. `recommendation`: without screenings.'),
  key_id: z.string().optional().describe('Calls of this key: `key_…`. One whose traces the caller sees; else none.'),
  kind: z.enum(['verify', 'decide', 'bulk', 'screen']).optional().describe('Calls of this kind.'),
  decision: Decision.optional().describe('What a policy decided.'),
  recommendation: Recommendation.optional().describe('What verifications recommended.'),
});

export const UsageSeries = z.object({
  from: EpochSeconds.describe('Where the first day begins.'),
  to: EpochSeconds.describe('Where the last day ends.'),
  interval: z.enum(['day', 'month']).describe('As in the request.'),
  series: z
    .array(
      z.object({
        value: z
          .string()
          .nullable()
          .describe(
            'A key’s id (empty: not known), a kind (`verify`, `decide`, `bulk`, `screen`) …; null without `by`.',
          ),
        points: z
          .array(
            z.object({
              at: EpochSeconds.describe('Where the day or month begins.'),
              calls: z.number().int().describe('The number of calls.'),
              cost_usd: Usd.describe('The `cost_usd` of their answers.'),
            }),
          )
          .describe('Oldest first, without days or months without calls.'),
      }),
    )
    .describe('One without `by`; else one for each value.'),
});
export type UsageSeries = z.infer<typeof UsageSeries>;
