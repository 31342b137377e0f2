import * as z from 'zod';
import { EmailInput, LatencyMs, TraceId, Usd } from './common.ts';
import { Decision, EmployeesRange, IcpFit, Op, Scalar, Seniority } from './policy.ts';
import { FlatProperties } from './properties.ts';
import { ScreeningLabels } from './screening.ts';
import { Verification, VerificationContext } from './verification.ts';

export const DecideRequest = z.object({
  email: EmailInput,
  name: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('Up to 200 characters. Read by screening, also to recognise a family’s own domain. Never stored.'),
  context: VerificationContext.optional().describe('The purpose of the address, and the ceilings of its verification.'),
  policy_slug: z.string().optional().describe('The policy that decides; `default` by default.'),
  attributes: FlatProperties.optional().describe('Facts the policy reads.'),
  explain: z.boolean().optional().describe('Adds `explanation`.'),
});
export type DecideRequest = z.infer<typeof DecideRequest>;

export const Company = z.object({
  name: z.string().nullable().describe('As the vendor spells it; null if unknown.'),
  domain: z.string().nullable().describe('The company’s own domain; null: not known.'),
  industry: z.string().nullable().describe('As the vendor spells it; null if unknown.'),
  employees_range: EmployeesRange.nullable().describe('The number of employees; null if unknown.'),
  country: z.string().nullable().describe('ISO 3166-1 alpha-2; null: not known.'),
});
export type Company = z.infer<typeof Company>;

export const Person = z.object({ seniority: Seniority.nullable().describe('The person’s rank; null: not known.') });
export type Person = z.infer<typeof Person>;

export const ExperimentArm = z.object({
  id: z.string().describe('The experiment, as the policy names it.'),
  arm: z.enum(['treatment', 'control']).describe('`treatment`: the rule applied; `control`: the rules behind it did.'),
});
export type ExperimentArm = z.infer<typeof ExperimentArm>;

/** The rules in order, up to the one that decided. */
export const Explanation = z.array(
  z.object({
    rule_id: z.string().describe('The rule’s id in the policy.'),
    matched: z.boolean().describe('Whether the rule’s condition holds.'),
    conditions: z
      .array(
        z.object({
          path: z.string().describe('Which value is compared.'),
          op: Op.describe('How it is compared.'),
          value: z.union([Scalar, z.array(Scalar)]).describe('What it is compared with, as the rule says.'),
          actual: z
            .union([Scalar, z.array(z.string())])
            .nullable()
            .describe('The actual value; null if missing, or not asked for.'),
          matched: z
            .boolean()
            .nullable()
            .describe(
              'Whether this comparison holds; null if the value was not asked for, because the rule matched or failed without it.',
            ),
        }),
      )
      .describe('Each comparison of the rule.'),
  }),
);
export type Explanation = z.infer<typeof Explanation>;

export const EnrichmentLimit = z.enum(['cost_ceiling', 'latency_ceiling', 'budget']);
export type EnrichmentLimit = z.infer<typeof EnrichmentLimit>;

export const DecisionResult = z.object({
  decision: Decision,
  rule_id: z.string().describe('The rule that decided; `default` when none matched.'),
  reason: z.string().nullable().describe('The rule’s description.'),
  flow: z.string().nullable().describe('Only with `allow_with_flow`: the rule’s own name for the next step.'),
  policy: z
    .object({
      slug: z.string().describe('The policy’s name.'),
      version: z.number().int().describe('Its version in force.'),
    })
    .describe('What decided.'),
  experiment: ExperimentArm.nullable().describe('The first experiment met; null: none was.'),
  verification: Verification.describe('The verification, as `/v1/verify` answers.'),
  screening: ScreeningLabels.optional().describe('Present when a rule needed it.'),
  company: Company.nullable().describe('The enrichment; null if no rule needed it, or nothing was known.'),
  person: Person.nullable().describe('Likewise.'),
  icp: z.object({ fit: IcpFit }).describe('How well it matches your ideal customer.'),
  enrichment: z
    .object({
      asked: z.boolean().describe('Whether a vendor was asked for this request.'),
      cost_usd: Usd.describe('What enrichment cost, in US dollars.'),
      degraded: z.boolean().describe('A value a rule reads is missing because a vendor failed.'),
      limited_by: z
        .array(EnrichmentLimit)
        .optional()
        .describe(
          'Present when a value a rule reads is missing because a vendor could not be asked within `max_cost_usd`, `max_latency_ms` or what the month’s enrichment budget has left.',
        ),
    })
    .describe('The result of the enrichment calls.'),
  explanation: Explanation.optional().describe('With `explain`: the rules in order, up to the one that decided.'),
  cost_usd: Usd.describe('What verification, screening and enrichment cost, in US dollars.'),
  latency_ms: LatencyMs,
  trace_id: TraceId,
});
export type DecisionResult = z.infer<typeof DecisionResult>;
