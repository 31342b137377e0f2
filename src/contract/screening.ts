import * as z from 'zod';
import { Checks } from './check.ts';
import { Display, Domain, EmailInput, EpochSeconds, LatencyMs, Paging, Period, Usd } from './common.ts';

/** Answers list several reasons in this order. */
export const ScreeningReason = z.enum([
  'syntax_invalid',
  'address_blocklisted',
  'domain_blocklisted',
  'no_mx',
  'disposable_domain',
  'typo_domain',
  'typo_name',
  'placeholder',
  'name_mismatch',
  'fake_name',
  'domain_suspicious',
  'role_account',
]);
export type ScreeningReason = z.infer<typeof ScreeningReason>;

export const ScreenRequest = z.object({
  email: EmailInput,
  name: z.string().trim().max(200).optional().describe('As people write it; empty counts as absent.'),
});
export type ScreenRequest = z.infer<typeof ScreenRequest>;

const NameMatch = z.enum(['match', 'typo', 'partial', 'mismatch', 'not_checked']);
const FakeName = z.enum(['likely', 'unlikely', 'uncertain', 'not_checked']);
const DomainCheck = z.enum([
  'ok',
  'typo_like',
  'lookalike',
  'placeholder',
  'throwaway_like',
  'uncertain',
  'not_checked',
]);

/** What screening says about an address; a policy's rules read it as `screening.*`. */
export const ScreeningLabels = z.object({
  typo_suggestion: z.string().nullable().describe('A corrected full address.'),
  typo_source: z.enum(['name_match', 'domain']).nullable(),
  name_match: NameMatch.describe('`not_checked`: the request gave no name.'),
  fake_name: FakeName.describe('`not_checked`: the model was not asked or did not answer.'),
  domain_check: DomainCheck.describe('Judged from the domain name alone.'),
  placeholder: z.boolean().describe('The address looks like one typed only to get past a form.'),
  recommendation: z.enum(['allow', 'review']),
  reasons: z.array(ScreeningReason),
  degraded: z.boolean().describe('A model request was made and failed.'),
});
export type ScreeningLabels = z.infer<typeof ScreeningLabels>;

export const ScreeningResult = z.object({
  email: z.string(),
  domain: Checks,
  screening: ScreeningLabels,
  cost_usd: Usd,
  latency_ms: LatencyMs,
  trace_id: z.string(),
});
export type ScreeningResult = z.infer<typeof ScreeningResult>;

export const ScreeningRow = z.object({
  trace_id: z.string(),
  display: Display,
  created_at: EpochSeconds,
  key_id: z.string().nullable(),
  screening: ScreeningLabels.describe('`typo_suggestion` masked like `display`.'),
  cost_usd: Usd,
  latency_ms: LatencyMs,
});
export type ScreeningRow = z.infer<typeof ScreeningRow>;

export const ScreeningQuery = Paging.extend({
  key_id: z.string().optional(),
  ...Period,
  recommendation: z.enum(['allow', 'review']).optional(),
  reason: ScreeningReason.optional(),
  domain: Domain.optional(),
});
export type ScreeningQuery = z.infer<typeof ScreeningQuery>;

export const ScreeningList = z.object({ screenings: z.array(ScreeningRow), cursor: z.string().nullable() });
export type ScreeningList = z.infer<typeof ScreeningList>;
