import * as z from 'zod';

/** Screening reasons in their fixed order. `role_account` and `name_mismatch` alone do not make `review`. */
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

/** The `screening` object of a screening result. */
export const ScreeningLabels = z.object({
  typo_suggestion: z.string().nullable().describe('A corrected full address.'),
  typo_source: z.enum(['name_match', 'domain']).nullable(),
  name_match: z
    .enum(['match', 'typo', 'partial', 'mismatch', 'not_checked'])
    .describe('`not_checked`: no name was sent.'),
  fake_name: z.enum(['likely', 'unlikely', 'uncertain', 'not_checked']),
  domain_check: z.enum(['ok', 'typo_like', 'lookalike', 'placeholder', 'throwaway_like', 'uncertain', 'not_checked']),
  placeholder: z.boolean().describe('The address looks typed only to pass a form.'),
  recommendation: z.enum(['allow', 'review']),
  reasons: z.array(ScreeningReason),
  degraded: z.boolean().describe('A model request was made and failed; its label is `not_checked`.'),
});
export type ScreeningLabels = z.infer<typeof ScreeningLabels>;
