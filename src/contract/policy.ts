import * as z from 'zod';
import { EpochSeconds, NextCursor, Paging, VERSION_MAX, wholeNumber } from './common.ts';
import * as words from './words.ts';

export const Decision = z
  .enum(words.DECISIONS)
  .describe(
    'What to do with the signup: `allow`; `allow_with_flow`, let it in by a way that the rule names; `review`, have somebody look; `challenge`, have the person confirm the address; `deny`.',
  );
export type Decision = z.infer<typeof Decision>;

export const EmployeesRange = z.enum(words.EMPLOYEES_RANGES).describe('How many people a company employs.');
export type EmployeesRange = z.infer<typeof EmployeesRange>;

export const Seniority = z.enum(words.SENIORITIES).describe('A person’s rank in a company.');
export type Seniority = z.infer<typeof Seniority>;

export const IcpFit = z
  .enum(words.ICP_FITS)
  .describe('How well an address matches the ideal customer; `unknown`: no profile, or nothing is known.');
export type IcpFit = z.infer<typeof IcpFit>;

export const Op = z.enum(words.OPS).describe('How a value is compared.');
export type Op = z.infer<typeof Op>;

export const Scalar = z.union([z.string(), z.number(), z.boolean()]);
export type Scalar = z.infer<typeof Scalar>;

export const Comparison = z.strictObject({
  path: z
    .string()
    .describe('`verification.*`, `screening.*`, `company.*`, `person.*`, `icp.fit`, `attributes.*`, `context.*`.'),
  op: Op.describe(
    'Text is compared without regard to case. A missing value makes all but `ne`, `not_in` and `exists` false.',
  ),
  value: z.union([Scalar, z.array(Scalar)]).describe('A list for `in` and `not_in`, a boolean for `exists`.'),
});
export type Comparison = z.infer<typeof Comparison>;

export type Condition =
  | { all: Condition[]; any?: never; not?: never; path?: never }
  | { any: Condition[]; all?: never; not?: never; path?: never }
  | { not: Condition; all?: never; any?: never; path?: never }
  | (Comparison & { all?: never; any?: never; not?: never });

export const Condition: z.ZodType<Condition> = z
  .lazy(() =>
    z.union([
      z.strictObject({ all: z.array(Condition).describe('All of these hold.') }),
      z.strictObject({ any: z.array(Condition).describe('At least one of these holds.') }),
      z.strictObject({ not: Condition }),
      Comparison,
    ]),
  )
  .meta({ id: 'PolicyCondition', description: 'The condition: one comparison, or several joined.' });

/** `weight` percent of the matching addresses (always the same ones) get the decision; the others fall through. */
export const Experiment = z.strictObject({
  id: z.string().describe('Its name in this policy.'),
  weight: z.number().int().min(1).max(100).describe('Per cent of the matching addresses that get the decision.'),
  min_sample: z.number().int().min(1).describe('Exposures each arm needs before its rates are shown.'),
  guardrails: z.array(z.string()).optional().describe('Event names that must not get worse.'),
});
export type Experiment = z.infer<typeof Experiment>;

export const PolicyRule = z.strictObject({
  id: z.string().describe('Its name in this policy; `rule_id` of the decisions it makes.'),
  description: z.string().optional().describe('The `reason` of a decision this rule makes.'),
  when: Condition,
  decision: Decision.describe('What it decides then.'),
  flow: z.string().optional().describe('Required with `allow_with_flow`, and only there.'),
  experiment: Experiment.optional().describe('Applies the rule to a part of the matching addresses, to compare.'),
});
export type PolicyRule = z.infer<typeof PolicyRule>;

/** The organisation's ideal customer, which `icp.fit` compares addresses with. An empty list requires nothing. */
export const IcpProfile = z.strictObject({
  industries: z.array(z.string()).describe('Industries as vendors spell them.'),
  employees_ranges: z.array(EmployeesRange).describe('How many people the company employs.'),
  countries: z.array(z.string()).describe('ISO 3166-1 alpha-2.'),
  seniorities: z.array(Seniority).describe('Ranks of the person.'),
});
export type IcpProfile = z.infer<typeof IcpProfile>;

/** The body of `PUT`. The first matching rule decides, else `default`. */
export const PolicyDocument = z.strictObject({
  name: z.string().describe('For people, up to 200 characters.'),
  rules: z.array(PolicyRule).describe('In order: the first that matches decides. Up to 200.'),
  default: Decision.describe('What is decided when no rule matches; any but `allow_with_flow`.'),
  icp: IcpProfile.nullable().optional().describe('Your ideal customer, which `icp.fit` compares with; null: none.'),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

/**
 * Any JSON: the document is checked as a whole, so that every fault is reported with its position. A schema of objects
 * would also drop a member named `__proto__` silently.
 */
export const PutPolicyRequest = z.unknown().describe('A `PolicyDocument`.');
export const PolicyParams = z.object({ slug: z.string().describe('The policy’s name.') });
export const PolicyQuery = z.object({
  version: wholeNumber(1, VERSION_MAX).optional().describe('An older version; the newest by default.'),
});
export const PolicyListQuery = Paging;

export const Policy = z.strictObject({
  slug: z.string().describe('Its name in paths and requests.'),
  version: z.number().int().min(1).describe('Counts its saves, from 1.'),
  ...PolicyDocument.shape,
  icp: IcpProfile.nullable().describe('Your ideal customer, which `icp.fit` compares with; null: none.'),
  created_at: EpochSeconds,
  created_by: z.string().nullable().describe('Who saved this version: a user or a key; null for the service.'),
});
export type Policy = z.infer<typeof Policy>;

export const PolicyResponse = z.object({ policy: Policy.describe('The policy.') });
export const PolicyList = z.object({
  policies: z.array(Policy).describe('Each in its newest version.'),
  cursor: NextCursor,
});

export const SimulateRequest = z.object({
  policy: PutPolicyRequest,
  window_days: z.number().int().min(1).max(365).default(90).describe('How many days back traces are looked at.'),
});
export type SimulateRequest = z.infer<typeof SimulateRequest>;

const Counts = z.record(Decision, z.number().int());

const Changed = z.array(
  z.object({
    from: Decision.describe('What was decided.'),
    to: Decision.describe('What the draft decides.'),
    count: z.number().int().describe('The number of traces.'),
  }),
);

/** A draft tried on stored traces. */
export const Simulation = z.object({
  window_days: z.number().int().describe('As in the request.'),
  complete: z
    .boolean()
    .describe('False: the window has more traces than were looked at in the time there is, the newest first.'),
  traces: z.number().int().describe('Traces looked at: those of `counts` and the `undetermined` ones.'),
  counts: Counts.describe('What the draft decides.'),
  undetermined: z.number().int().describe('The draft’s decision depends on a value that is not stored.'),
  changed: Changed.describe('Changed decisions of this policy, the most frequent pair first.'),
  sample_trace_ids: z.array(z.string()).max(20).describe('Traces whose decision changes.'),
  by_kind: z
    .array(
      z.object({
        kind: z.enum(['verify', 'decide', 'bulk']).describe('The kind of call.'),
        counts: Counts.describe('How many traces get each decision.'),
        decided: z.number().int().describe('The traces that this policy decided: only they can change.'),
        changed: Changed.describe('Changed decisions, the most frequent pair first.'),
      }),
    )
    .describe('What the draft decides, by kind of call.'),
  by_rule: z
    .array(
      z.object({
        rule_id: z.string().describe('`default`: no rule matched.'),
        count: z.number().int().describe('How many traces it decides.'),
        sample_trace_ids: z.array(z.string()).max(5).describe('Some of them.'),
      }),
    )
    .describe('Which rule decides, the most frequent first.'),
  by_day: z
    .array(
      z.object({
        at: EpochSeconds.describe('Where the UTC day begins.'),
        counts: Counts.describe('How many traces get each decision.'),
      }),
    )
    .describe('Oldest first; without days that have no trace.'),
  denied: z
    .object({
      traces: z.number().int().describe('The newest traces that the draft denies, up to 500.'),
      with_events: z.number().int().describe('How many of them have an event.'),
      events: z.record(z.string(), z.number().int()).describe('How many of them have each event.'),
    })
    .describe('What the people that the draft denies went on to do, by their events.'),
});
export type Simulation = z.infer<typeof Simulation>;
