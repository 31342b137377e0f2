import * as z from 'zod';
import { EmailInput, LatencyMs, Usd } from './common.ts';
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
    .describe('Read by screening, and to tell a family’s own domain from a slip. Never stored.'),
  context: VerificationContext.optional(),
  policy_slug: z.string().optional().describe('`default` when left out.'),
  attributes: FlatProperties.optional().describe('Facts the policy reads.'),
  explain: z.boolean().optional().describe('Adds `explanation`.'),
});
export type DecideRequest = z.infer<typeof DecideRequest>;

export const Company = z.object({
  name: z.string().nullable(),
  domain: z.string().nullable(),
  industry: z.string().nullable(),
  employees_range: EmployeesRange.nullable(),
  country: z.string().nullable().describe('ISO 3166-1 alpha-2.'),
});
export type Company = z.infer<typeof Company>;

export const Person = z.object({ seniority: Seniority.nullable() });
export type Person = z.infer<typeof Person>;

export const ExperimentArm = z.object({ id: z.string(), arm: z.enum(['treatment', 'control']) });
export type ExperimentArm = z.infer<typeof ExperimentArm>;

/** The rules in their order, up to the one that decided. */
export const Explanation = z.array(
  z.object({
    rule_id: z.string(),
    matched: z.boolean(),
    conditions: z.array(
      z.object({
        path: z.string(),
        op: Op,
        value: z.union([Scalar, z.array(Scalar)]),
        actual: z
          .union([Scalar, z.array(z.string())])
          .nullable()
          .describe('Null: missing, or not asked for.'),
        matched: z
          .boolean()
          .nullable()
          .describe('Null: the value was not asked for, because the rule matched or failed without it.'),
      }),
    ),
  }),
);
export type Explanation = z.infer<typeof Explanation>;

export const EnrichmentLimit = z.enum(['cost_ceiling', 'latency_ceiling', 'budget']);
export type EnrichmentLimit = z.infer<typeof EnrichmentLimit>;

export const DecisionResult = z.object({
  decision: Decision,
  rule_id: z.string().describe('`default` when no rule matched.'),
  reason: z.string().nullable().describe('The rule’s description.'),
  flow: z.string().nullable().describe('With `allow_with_flow` only.'),
  policy: z.object({ slug: z.string(), version: z.number().int() }),
  experiment: ExperimentArm.nullable().describe('The first experiment met.'),
  verification: Verification,
  screening: ScreeningLabels.optional().describe('Present when a rule needed it.'),
  company: Company.nullable(),
  person: Person.nullable(),
  icp: z.object({ fit: IcpFit }),
  enrichment: z.object({
    asked: z.boolean().describe('Whether a vendor was asked for this request.'),
    cost_usd: Usd,
    degraded: z.boolean().describe('A value a rule reads is missing because a vendor failed.'),
    limited_by: z
      .array(EnrichmentLimit)
      .optional()
      .describe(
        'Present when a value a rule reads is missing because a vendor could not be asked within `max_cost_usd`, `max_latency_ms` or what the month’s enrichment budget has left.',
      ),
  }),
  explanation: Explanation.optional(),
  cost_usd: Usd,
  latency_ms: LatencyMs,
  trace_id: z.string(),
});
export type DecisionResult = z.infer<typeof DecisionResult>;
