import * as z from 'zod';
import { Display, Domain, EmailInput, EpochSeconds, LatencyMs, Paging, Period, Probability, Usd } from './common.ts';
import { Company, ExperimentArm, Person } from './decision.ts';
import { ReportedOutcome } from './feedback.ts';
import { Losses } from './losses.ts';
import { Decision, IcpFit } from './policy.ts';
import { FlatProperties } from './properties.ts';
import { ProviderReceipt, Signals, VerificationContext } from './verification.ts';
import { Calibration, CheckReason, EmailType, Esp, KeyOrigin, Recommendation, Verdict } from './vocabulary.ts';

const TraceKind = z.enum(['verify', 'decide', 'bulk']);

export const TraceRow = z.object({
  trace_id: z.string(),
  verification_trace_id: z.string().nullable(),
  kind: TraceKind,
  created_at: EpochSeconds,
  display: Display,
  domain: z.string(),
  verdict: Verdict,
  bounce_probability: Probability,
  recommendation: Recommendation,
  reason: CheckReason.nullable(),
  email_type: EmailType.nullable(),
  esp: Esp,
  cost_usd: Usd,
  latency_ms: LatencyMs,
  cache_hit: z.boolean(),
  degraded: z.boolean(),
  bulk_job_id: z.string().nullable(),
});
export type TraceRow = z.infer<typeof TraceRow>;

/** Query of the list. An id outside the organisation matches nothing; `scope` only selects the labelled row shape. */
export const TraceQuery = Paging.extend({
  bulk_job_id: z.string().optional(),
  key_id: z.string().optional(),
  scope: z.string().optional(),
  ...Period,
  kind: TraceKind.optional(),
  decision: Decision.optional().describe('What a policy decided.'),
  recommendation: Recommendation.optional(),
  verdict: Verdict.optional(),
  reason: CheckReason.optional(),
  email_type: EmailType.optional(),
  esp: Esp.optional(),
  domain: Domain.optional(),
});
export type TraceQuery = z.infer<typeof TraceQuery>;

/** What `/v1/decide` decided, and by which version of which policy. */
const PolicyDecision = z.object({
  decision: Decision,
  rule_id: z.string(),
  policy: z.object({ slug: z.string(), version: z.number().int() }),
});

/** Holds what simulations and segments read; nothing else of enrichment is kept. */
export const StoredPolicyDecision = PolicyDecision.extend({
  experiment: ExperimentArm.nullable(),
  company: Company.pick({ industry: true, employees_range: true, country: true })
    .nullable()
    .optional()
    .describe('Absent: not asked for. Null: not known.'),
  person: Person.nullable().optional().describe('As `company`.'),
  icp: z.object({ fit: IcpFit }),
  attributes: FlatProperties.nullable().describe('Null once the address was erased.'),
  enrichment: z
    .array(
      z.object({
        source: z.string(),
        outcome: z
          .string()
          .describe(
            '`found`, `not_found` or how the call failed; not asked: `circuit_open`, `latency_ceiling`, `cost_ceiling`, `budget`, `budget_unreachable`.',
          ),
        ms: LatencyMs.nullable().describe('Null: not asked.'),
        cost_usd: Usd.describe('What it may have cost at most.'),
      }),
    )
    .optional()
    .describe('Each source that was asked, or that a missing value was not asked of.'),
});
export type StoredPolicyDecision = z.infer<typeof StoredPolicyDecision>;

/** A row under `scope=owner`. */
const LabelledTraceRow = TraceRow.extend({
  account_id: z.string(),
  api_key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  key_origin: KeyOrigin.nullable(),
  policy_decision: PolicyDecision.nullable().describe('Null unless `/v1/decide` wrote the trace.'),
});
export type LabelledTraceRow = z.infer<typeof LabelledTraceRow>;

/** An address is looked for in a body, never in a URL. */
export const TraceSearch = z.object({
  email: EmailInput,
  limit: z.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(200).optional(),
});

export const TraceList = z.object({
  traces: z.array(z.union([LabelledTraceRow, TraceRow])),
  cursor: z
    .string()
    .nullable()
    .describe(
      'Null: nothing is left. A page that is narrowed by several filters may have fewer rows than `limit` and still go on.',
    ),
});
export type TraceList = z.infer<typeof TraceList>;

/** What the router saw before it chose. The probability follows from this and the providers' answers alone. */
export const Features = z.object({
  model_version: z.string().describe('The table (or fit) of the probability.'),
  host_class: z.string(),
  mx_provider: z.string().nullable(),
  gateway: z.boolean(),
  mail_hosts: z.enum(['found', 'implicit', 'none', 'unresolved', 'not_looked_up']),
  disposable_by: z
    .enum(['list', 'mail_hosts'])
    .nullable()
    .optional()
    .describe(
      'What calls the domain disposable or suspected: a list, or mail hosts that serve listed domains alone. Not in traces written before.',
    ),
  known_answers: z
    .array(z.object({ provider: z.string(), verdict: ProviderReceipt.shape.verdict, age_s: z.number().min(0) }))
    .describe('Stored evidence about the address.'),
  known_outcomes: z
    .array(
      z.object({
        class: z.enum(['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint', 'confirmed', 'paid']),
        age_s: z.number().min(0),
      }),
    )
    .optional()
    .describe('Delivery reports about the address, and proofs that somebody reads it. Not in traces written before.'),
  x: z
    .array(z.string())
    .optional()
    .describe('What the address shows by itself: `typo_domain`, `role` … Not in traces written before.'),
  t0: EpochSeconds.optional().describe('When the address was first seen, as far as it still counts.'),
  neighbours: z
    .object({
      accepts_all: Probability.describe('That the domain accepts everything.'),
      dead_strict: Probability.describe('That mail bounced at `t0`, if the domain does not.'),
      dead_accepts_all: Probability.describe('That mail bounced at `t0`, if it does.'),
      var: z.number().min(0).describe('Variance of the log-odds of a bounce at `t0`.'),
    })
    .optional()
    .describe(
      'What host, purpose, domain, list and `x` say, before the evidence about the address itself. Not in traces written before.',
    ),
  accepts_all_odds: z
    .number()
    .min(0)
    .describe('What the flag that organisations share says of the domain; 1 says nothing. Part of `neighbours`.'),
  evidence: z
    .array(
      z.object({
        code: z
          .string()
          .describe('`bounced_before`, `domain_delivers`, `answer` …; `stranger` is where the log-odds begin.'),
        shift: z.number().describe('How far it moved the log-odds of a bounce.'),
        provider: z.string().optional(),
        verdict: ProviderReceipt.shape.verdict.optional(),
      }),
    )
    .optional()
    .describe(
      'Why: every piece of evidence. The shifts add up to the log-odds of the probability. Not in traces written before.',
    ),
  losses: Losses.extend({ version: z.number().int().min(0).describe('0: the service’s own.') })
    .optional()
    .describe('What the recommendation follows from, beside the probability. Not in traces written before.'),
});
export type Features = z.infer<typeof Features>;

/** One choice of the router: its options, what each was worth, and the one it chose. */
const RouteStep = z.object({
  choice: z.string().describe('A provider, or `stop`.'),
  probability: Probability.describe('Bounce probability before the choice.'),
  stop_value_usd: z.number().describe('Expected loss of deciding now.'),
  candidates: z.array(
    z.object({
      provider: z.string(),
      value_usd: z.number(),
      cost_usd: z.number(),
      price_usd: z.number(),
      latency_ms: z.number(),
      failure_rate: Probability,
    }),
  ),
  excluded: z.array(
    z.object({
      provider: z.string(),
      why: z.enum(['asked', 'reported', 'known', 'budget', 'cost', 'time', 'circuit_open']),
    }),
  ),
  missed: z.boolean().describe('A provider worth asking was not: it has failed too often of late.'),
  left: z.object({ cost_usd: z.number(), latency_ms: z.number() }),
});

/** The row with what replays the decision; those fields are null once the trace is older than 90 days. */
export const Trace = TraceRow.extend({
  sent_to: z
    .array(z.string())
    .nullable()
    .describe(
      'Every vendor that was sent the address, as `GET /v1/subprocessors` names it; null in traces written before.',
    ),
  did_you_mean: Display.nullable().describe('Of a slip: the correction, masked like `display`.'),
  confidence_interval: z.tuple([Probability, Probability]).nullable(),
  signals: Signals.nullable(),
  providers: z.record(z.string(), ProviderReceipt).nullable(),
  provider_failures: z
    .array(
      z.object({
        provider: z.string(),
        kind: z.string(),
        ms: LatencyMs,
        may_cost_usd: Usd.describe('What the vendor may bill all the same; not in `cost_usd`.'),
      }),
    )
    .nullable(),
  features: Features.nullable(),
  route: z.array(RouteStep).nullable(),
  policy_decision: StoredPolicyDecision.nullable().describe('Null unless `/v1/decide` wrote the trace.'),
  bulk_decision: StoredPolicyDecision.nullable().describe('Of a bulk job that ran a policy.'),
  outcome: ReportedOutcome.nullable().describe('The newest report of what became of the message.'),
  reasons: z.array(CheckReason).nullable(),
  disagreement: Probability.nullable(),
  calibration: Calibration.nullable(),
  context: VerificationContext.nullable(),
});
export type Trace = z.infer<typeof Trace>;

export const TraceResponse = z.object({ trace: Trace });
export const TraceParams = z.object({ trace_id: z.string().describe('`vr_…`, or `dc_…` of a decision.') });
