import * as z from 'zod';
import { Checks } from './verification.ts';
import {
  Display,
  Domain,
  EmailInput,
  EpochSeconds,
  LatencyMs,
  NextCursor,
  Paging,
  Period,
  SentEmail,
  TraceId,
  Usd,
} from './common.ts';
import * as words from './words.ts';

/** Answers list several reasons in this order. */
export const ScreeningReason = z
  .enum(words.SCREENING_REASONS)
  .describe('What screening found: a finding of the free checks, a typo (`typo_…`), or what looks made up.');
export type ScreeningReason = z.infer<typeof ScreeningReason>;

export const ScreenRequest = z.object({
  email: EmailInput,
  name: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('The person’s name, as people write it, up to 200 characters; empty counts as absent. Never stored.'),
});
export type ScreenRequest = z.infer<typeof ScreenRequest>;

/** A screening's labels; a policy's rules read them as `screening.*`. */
export const ScreeningLabels = z.object({
  typo_suggestion: z
    .string()
    .nullable()
    .describe('A corrected full address, or null: a guess for the person to confirm.'),
  typo_source: z
    .enum(words.TYPO_SOURCES)
    .nullable()
    .describe(
      'Where the typo is: `name_match`, in the local part compared with the name; `domain`. Null without a typo.',
    ),
  name_match: z
    .enum(words.NAME_MATCHES)
    .describe('How the name fits the address; `not_checked`: the request gave no name.'),
  fake_name: z
    .enum(words.FAKE_NAMES)
    .describe('Whether the name is made up, as the model says; `not_checked`: it was not asked or did not answer.'),
  domain_check: z
    .enum(words.DOMAIN_CHECKS)
    .describe(
      'The model’s judgement of the domain by its name alone; `not_checked`: it was not asked or did not answer.',
    ),
  placeholder: z.boolean().describe('The address looks like one typed only to get past a form.'),
  recommendation: z
    .enum(words.SCREENING_RECOMMENDATIONS)
    .describe('`review`: somebody should look at it. Never a refusal.'),
  reasons: z.array(ScreeningReason).describe('All findings, in the order of the vocabulary.'),
  degraded: z.boolean().describe('A model request was made and failed.'),
});
export type ScreeningLabels = z.infer<typeof ScreeningLabels>;

export const ScreeningResult = z.object({
  email: SentEmail,
  domain: Checks.describe('The free checks of the address.'),
  screening: ScreeningLabels.describe('What screening found about address and name.'),
  cost_usd: Usd.describe('What the model cost, in US dollars; 0 when it was not asked.'),
  latency_ms: LatencyMs,
  trace_id: TraceId,
});
export type ScreeningResult = z.infer<typeof ScreeningResult>;

export const ScreeningRow = z.object({
  trace_id: z.string().describe('The screening’s id: `sc_…`.'),
  display: Display,
  created_at: EpochSeconds,
  key_id: z.string().nullable().describe('The key that asked: `key_…`.'),
  screening: ScreeningLabels.describe('`typo_suggestion` masked like `display`.'),
  cost_usd: Usd,
  latency_ms: LatencyMs,
});
export type ScreeningRow = z.infer<typeof ScreeningRow>;

export const ScreeningQuery = Paging.extend({
  key_id: z.string().optional().describe('Screenings that this key asked for: `key_…`.'),
  ...Period,
  recommendation: z.enum(words.SCREENING_RECOMMENDATIONS).optional().describe('Screenings that recommend this.'),
  reason: ScreeningReason.optional().describe('Screenings that have this among their reasons.'),
  domain: Domain.optional(),
});
export type ScreeningQuery = z.infer<typeof ScreeningQuery>;

export const ScreeningParams = z.object({ trace_id: z.string().describe('`sc_…`.') });
export const ScreeningResponse = z.object({ screening: ScreeningRow.describe('The screening.') });
export type ScreeningResponse = z.infer<typeof ScreeningResponse>;

export const ScreeningList = z.object({
  screenings: z.array(ScreeningRow).describe('Newest first.'),
  cursor: NextCursor,
});
export type ScreeningList = z.infer<typeof ScreeningList>;
