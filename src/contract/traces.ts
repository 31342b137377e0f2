import * as z from 'zod';
import { Display, Domain, EmailInput, EpochSeconds, LatencyMs, Paging, Period, Probability, Usd } from './common.ts';
import { Company, ExperimentArm, Person } from './decision.ts';
import { ReportedOutcome } from './feedback.ts';
import { Losses } from './losses.ts';
import { Decision, IcpFit } from './policy.ts';
import { FlatProperties } from './properties.ts';
import { ProviderReceipt, Signals, VerificationContext } from './verification.ts';
import { Calibration, CheckReason, EmailType, Esp, KeyOrigin, Recommendation, Verdict } from './vocabulary.ts';

const TraceKind = z
  .enum(['verify', 'decide', 'bulk'])
  .describe('Which call made it: a verification, a decision, or a row of a file.');

export const TraceRow = z.object({
  trace_id: z.string().describe('`vr_…`, or `dc_…` of a decision.'),
  verification_trace_id: z
    .string()
    .nullable()
    .describe('Of a decision: the verification inside it, `vr_…`, which outcomes are reported on. Else null.'),
  kind: TraceKind,
  created_at: EpochSeconds,
  display: Display,
  domain: z.string().describe('Of the address: lower case, A-labels.'),
  verdict: Verdict,
  bounce_probability: Probability.describe('As it was answered: 0.31 means 31 in 100.'),
  recommendation: Recommendation,
  reason: CheckReason.nullable().describe('The first finding of the free checks; null where they found nothing.'),
  email_type: EmailType.nullable().describe('Null in traces that do not say it.'),
  esp: Esp,
  cost_usd: Usd,
  latency_ms: LatencyMs,
  cache_hit: z.boolean().describe('Stored evidence of yours took part, and no provider was asked.'),
  degraded: z.boolean().describe('Providers failed, and nothing else was known of the address.'),
  bulk_job_id: z.string().nullable().describe('The job whose file has the row: `bj_…`; else null.'),
});
export type TraceRow = z.infer<typeof TraceRow>;

const Scope = z.string().optional().describe('`owner`: rows say their account, key and policy decision too.');

/** Query of the list. An id outside the organisation matches nothing; `scope` only selects the labelled row shape. */
export const TraceQuery = Paging.extend({
  bulk_job_id: z.string().optional().describe('Rows of this job: `bj_…`.'),
  key_id: z.string().optional().describe('Calls of this key: `key_…`.'),
  scope: Scope,
  ...Period,
  kind: TraceKind.optional().describe('Rows that this kind of call made.'),
  decision: Decision.optional().describe('What a policy decided.'),
  recommendation: Recommendation.optional().describe('Rows that recommend this.'),
  verdict: Verdict.optional().describe('Rows of this verdict.'),
  reason: CheckReason.optional().describe('Rows whose first finding is this.'),
  email_type: EmailType.optional().describe('Rows of this kind of address.'),
  esp: Esp.optional().describe('Rows of addresses at this kind of host.'),
  domain: Domain.optional(),
});
export type TraceQuery = z.infer<typeof TraceQuery>;

/** What `/v1/decide` decided, and by which version of which policy. */
const PolicyDecision = z.object({
  decision: Decision,
  rule_id: z.string().describe('The rule that decided; `default` when none matched.'),
  policy: z
    .object({ slug: z.string().describe('Its name.'), version: z.number().int().describe('The version that decided.') })
    .describe('The policy.'),
});

/** Only what simulations and segments read; nothing else of enrichment is stored. */
export const StoredPolicyDecision = PolicyDecision.extend({
  experiment: ExperimentArm.nullable().describe('The first experiment met; null: none was.'),
  company: Company.pick({ industry: true, employees_range: true, country: true })
    .nullable()
    .optional()
    .describe('What enrichment found of the company. Absent: not asked for. Null: not known.'),
  person: Person.nullable().optional().describe('Of the person, likewise.'),
  icp: z.object({ fit: IcpFit }).describe('How near it came to the ideal customer.'),
  attributes: FlatProperties.nullable().describe('What you sent along; null once the address was erased.'),
  enrichment: z
    .array(
      z.object({
        source: z.string().describe('The vendor.'),
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

const LabelledTraceRow = TraceRow.extend({
  account_id: z.string().describe('The account: `acct_…`.'),
  api_key_id: z.string().nullable().describe('The key that made the call: `key_…`.'),
  key_name: z.string().nullable().describe('Its name; null: the key is not known any more.'),
  key_origin: KeyOrigin.nullable().describe('Its origin; null: the key is not known any more.'),
  policy_decision: PolicyDecision.nullable().describe('Null unless `/v1/decide` wrote the trace.'),
  bulk_decision: PolicyDecision.nullable().describe('Of a bulk job that ran a policy.'),
});
export type LabelledTraceRow = z.infer<typeof LabelledTraceRow>;

/** An address is searched for in a body, never in a URL. */
export const TraceSearch = z.object({
  email: EmailInput,
  limit: z.number().int().min(1).max(200).default(50).describe('How many rows a page has at most.'),
  cursor: z.string().min(1).max(200).optional().describe('The `cursor` of the page before; left out: the first page.'),
  scope: Scope,
});

export const TraceList = z.object({
  traces: z.array(z.union([LabelledTraceRow, TraceRow])).describe('Newest first.'),
  cursor: z
    .string()
    .nullable()
    .describe(
      'Where the next page begins: send it as `cursor`. Null: nothing is left. A page that is narrowed by several filters may have fewer rows than `limit` and still go on.',
    ),
});
export type TraceList = z.infer<typeof TraceList>;

/** The router's inputs. The probability follows from this and the providers' answers alone. */
export const Features = z.object({
  model_version: z.string().describe('The tables behind the probability.'),
  host_class: z.string().describe('Which row of the table the mail hosts belong to.'),
  mx_provider: z.string().nullable().describe('The company that runs them; null without mail hosts.'),
  gateway: z.boolean().describe('A security gateway in front of the mailboxes accepts every recipient.'),
  mail_hosts: z
    .enum(['found', 'implicit', 'none', 'unresolved', 'not_looked_up'])
    .describe(
      '`found`, in MX records; `implicit`, the domain’s own address; `none`; `unresolved`, DNS gave no answer; `not_looked_up`, the answer did not need it.',
    ),
  disposable_by: z
    .enum(['list', 'mail_hosts'])
    .nullable()
    .describe('What calls the domain disposable or suspected: a list, or mail hosts that serve listed domains alone.'),
  known_answers: z
    .array(
      z.object({
        provider: z.string().describe('Who said it.'),
        verdict: ProviderReceipt.shape.verdict,
        age_s: z.number().min(0).describe('How many seconds ago.'),
        full: z.literal(true).optional().describe('It said that the mailbox is full.'),
      }),
    )
    .describe('Stored evidence about the address.'),
  known_outcomes: z
    .array(
      z.object({
        class: z
          .enum(['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint', 'confirmed', 'paid'])
          .describe('What was reported: a kind of bounce, a delivery, a complaint, or a sign that somebody reads it.'),
        age_s: z.number().min(0).describe('How many seconds ago.'),
        source: z
          .string()
          .optional()
          .describe('A tag for the reporter, where the account’s outcomes have shown that this source errs.'),
        wrong: Probability.optional().describe('The share of that source’s reports that say the wrong thing.'),
      }),
    )
    .describe('Delivery reports about the address, and proofs that somebody reads it.'),
  x: z.array(z.string()).describe('What the address shows by itself: `typo_domain`, `role` …'),
  t0: EpochSeconds.describe('When the address was first seen, as far as it still counts.'),
  neighbours: z
    .object({
      accepts_all: Probability.describe('That the domain accepts everything.'),
      dead_strict: Probability.describe('That mail bounced at `t0`, if the domain does not.'),
      dead_accepts_all: Probability.describe('That mail bounced at `t0`, if it does.'),
      var: z.number().min(0).describe('Variance of the log-odds of a bounce at `t0`.'),
    })
    .describe('What host, purpose, account, domain, list and `x` say, before the evidence about the address itself.'),
  accepts_all_odds: z
    .number()
    .min(0)
    .describe('What the shared flag adds about the domain; 1 is no information. Part of `neighbours`.'),
  evidence: z
    .array(
      z.object({
        code: z
          .string()
          .describe('`bounced_before`, `domain_delivers`, `answer` …; `stranger` is where the log-odds begin.'),
        shift: z.number().describe('How far it moved the log-odds of a bounce.'),
        provider: z.string().optional().describe('Of an `answer`: who said it.'),
        verdict: ProviderReceipt.shape.verdict.optional().describe('Of an `answer`: what it said.'),
      }),
    )
    .describe('Why: every piece of evidence. The shifts add up to the log-odds of the probability.'),
  losses: Losses.extend({ version: z.number().int().min(0).describe('0: the service’s own.') }).describe(
    'What the recommendation follows from, beside the probability.',
  ),
});
export type Features = z.infer<typeof Features>;

/** One choice of the router: its options, their values, and the chosen one. */
const RouteStep = z.object({
  choice: z.string().describe('A provider, or `stop`.'),
  probability: Probability.describe('Bounce probability before the choice.'),
  stop_value_usd: z.number().describe('Expected loss of deciding now.'),
  candidates: z
    .array(
      z.object({
        provider: z.string().describe('A provider that could be asked.'),
        value_usd: z.number().describe('Expected total of asking it: the least wins, or stopping.'),
        cost_usd: z.number().describe('Expected price, and what the time is worth that it takes.'),
        price_usd: z.number().describe('The most that the call would be billed.'),
        latency_ms: z.number().describe('How long its answers take of late.'),
        failure_rate: Probability.describe('The share of its calls that failed of late.'),
      }),
    )
    .describe('Providers that could be asked.'),
  excluded: z
    .array(
      z.object({
        provider: z.string().describe('A provider that was out of the question.'),
        why: z
          .enum(['asked', 'reported', 'known', 'silent', 'settled', 'budget', 'cost', 'time', 'circuit_open'])
          .describe(
            '`asked` in this request; `reported`, you told lately what became of a message; `known`, its last answer is fresh; `silent`, two others had no answer; `settled`, a row of a file that nobody has to be asked about; `budget` of the month; `cost`, `time`: over the request’s ceiling; `circuit_open`, it failed too often.',
          ),
      }),
    )
    .describe('Providers that could not, and why.'),
  missed: z.boolean().describe('A provider worth asking was not: it has failed too often of late.'),
  left: z
    .object({
      cost_usd: z.number().describe('US dollars.'),
      latency_ms: z.number().describe('Milliseconds.'),
    })
    .describe('What the request’s ceilings leave before the choice.'),
});

/** The row with what replays the decision; those fields are null once the trace is older than 90 days. */
export const Trace = TraceRow.extend({
  sent_to: z.array(z.string()).describe('Every vendor that was sent the address, as `GET /v1/subprocessors` names it.'),
  did_you_mean: Display.nullable().describe('Of a typo: the correction, masked like `display`.'),
  confidence_interval: z
    .tuple([Probability, Probability])
    .nullable()
    .describe('90 % credible interval of the probability. Null once the detail is gone.'),
  signals: Signals.nullable().describe(
    'What the address and its domain show by themselves. Null once the detail is gone.',
  ),
  providers: z
    .record(z.string(), ProviderReceipt)
    .nullable()
    .describe('What each provider that was asked said. Null once the detail is gone.'),
  provider_failures: z
    .array(
      z.object({
        provider: z.string().describe('Whose call failed.'),
        kind: z.string().describe('How: `timeout`, `unreachable`, `rate_limited` …'),
        ms: LatencyMs.describe('How long the call took, in milliseconds.'),
        may_cost_usd: Usd.describe('What the vendor may bill all the same; not in `cost_usd`.'),
      }),
    )
    .nullable()
    .describe('Calls to providers that failed. Null once the detail is gone.'),
  features: Features.nullable().describe('What was known before a provider was asked. Null once the detail is gone.'),
  route: z.array(RouteStep).nullable().describe('Each choice of whom to ask. Null once the detail is gone.'),
  policy_decision: StoredPolicyDecision.nullable().describe('Null unless `/v1/decide` wrote the trace.'),
  bulk_decision: StoredPolicyDecision.nullable().describe('Of a bulk job that ran a policy.'),
  outcome: ReportedOutcome.nullable().describe('The newest report of what became of the message.'),
  reasons: z.array(CheckReason).nullable().describe('All findings of the free checks. Null once the detail is gone.'),
  disagreement: Probability.nullable().describe(
    'How far the providers’ answers lie apart. Null once the detail is gone.',
  ),
  calibration: Calibration.nullable().describe('What moved the number. Null once the detail is gone.'),
  context: VerificationContext.nullable().describe('The request’s context. Null once the detail is gone.'),
});
export type Trace = z.infer<typeof Trace>;

export const TraceResponse = z.object({ trace: Trace.describe('The trace.') });
export const TraceParams = z.object({ trace_id: z.string().describe('`vr_…`, or `dc_…` of a decision.') });
