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
    .describe('The verification inside a decision, `vr_…`, to report outcomes on; null for other traces.'),
  kind: TraceKind,
  created_at: EpochSeconds,
  display: Display,
  domain: z.string().describe('The address’s domain: lower case, A-labels.'),
  verdict: Verdict,
  bounce_probability: Probability.describe('As it was answered: 0.31 means 31 in 100.'),
  recommendation: Recommendation,
  reason: CheckReason.nullable().describe('The first finding of the free checks, or null.'),
  email_type: EmailType.nullable().describe('Null if the trace lacks it.'),
  esp: Esp,
  cost_usd: Usd,
  latency_ms: LatencyMs,
  cache_hit: z.boolean().describe('Your stored evidence was used, and no provider was asked.'),
  degraded: z.boolean().describe('Providers failed, and nothing else was known of the address.'),
  bulk_job_id: z.string().nullable().describe('The job whose file has the row: `bj_…`; else null.'),
});
export type TraceRow = z.infer<typeof TraceRow>;

const Scope = z.string().optional().describe('`owner`: rows include account, key and policy decision.');

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
    .describe('The company by enrichment. Absent if not asked for; null if unknown.'),
  person: Person.nullable().optional().describe('The person, likewise.'),
  icp: z.object({ fit: IcpFit }).describe('How well it matched the ideal customer.'),
  attributes: FlatProperties.nullable().describe('Your attributes; null once the address is erased.'),
  enrichment: z
    .array(
      z.object({
        source: z.string().describe('The vendor.'),
        outcome: z
          .string()
          .describe(
            '`found`, `not_found` or how the call failed; not asked: `circuit_open`, `latency_ceiling`, `cost_ceiling`, `budget`, `budget_unreachable`.',
          ),
        ms: LatencyMs.nullable().describe('Null if not asked.'),
        cost_usd: Usd.describe('Its highest possible cost.'),
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
  bulk_decision: PolicyDecision.nullable().describe('The policy’s decision; only for rows of a job with a policy.'),
});
export type LabelledTraceRow = z.infer<typeof LabelledTraceRow>;

/** An address is searched for in a body, never in a URL. */
export const TraceSearch = z.object({
  email: EmailInput,
  limit: z.number().int().min(1).max(200).default(50).describe('The highest number of rows on a page.'),
  cursor: Paging.shape.cursor,
  scope: Scope,
});

export const TraceList = z.object({
  traces: z.array(z.union([LabelledTraceRow, TraceRow])).describe('Newest first.'),
  cursor: z
    .string()
    .nullable()
    .describe(
      'Send it as `cursor` for the next page. Null on the last page. A page with several filters may have fewer rows than `limit` and still not be the last.',
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
    .describe('The reason for a disposable or suspected domain: a list, or mail hosts that serve only listed domains.'),
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
        wrong: Probability.optional().describe('The share of that source’s reports that are wrong.'),
      }),
    )
    .describe('Delivery reports about the address, and proofs that somebody reads it.'),
  x: z.array(z.string()).describe('Features of the address itself: `typo_domain`, `role` …'),
  t0: EpochSeconds.describe('When the address was first seen, within its memory.'),
  neighbours: z
    .object({
      accepts_all: Probability.describe('Probability that the domain accepts everything.'),
      dead_strict: Probability.describe('Probability that mail bounced at `t0`, if the domain does not.'),
      dead_accepts_all: Probability.describe('Probability that mail bounced at `t0`, if it does.'),
      var: z.number().min(0).describe('Variance of the log-odds of a bounce at `t0`.'),
    })
    .describe(
      'The initial state by host, purpose, account, domain, list and `x`, before evidence about the address itself.',
    ),
  accepts_all_odds: z
    .number()
    .min(0)
    .describe('What the shared flag adds about the domain; 1 is no information. Part of `neighbours`.'),
  evidence: z
    .array(
      z.object({
        code: z.string().describe('`bounced_before`, `domain_delivers`, `answer` …; `stranger` is the starting point.'),
        shift: z.number().describe('How far it moved the log-odds of a bounce.'),
        provider: z.string().optional().describe('The provider of an `answer`.'),
        verdict: ProviderReceipt.shape.verdict.optional().describe('The verdict of an `answer`.'),
      }),
    )
    .describe('Why: every piece of evidence. The shifts add up to the log-odds of the probability.'),
  losses: Losses.extend({ version: z.number().int().min(0).describe('0: the service’s own.') }).describe(
    'The inputs of the recommendation, beside the probability.',
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
        latency_ms: z.number().describe('Its recent latency.'),
        failure_rate: Probability.describe('The recent share of failed calls.'),
      }),
    )
    .describe('Providers that could be asked.'),
  excluded: z
    .array(
      z.object({
        provider: z.string().describe('An excluded provider.'),
        why: z
          .enum(['asked', 'reported', 'known', 'silent', 'settled', 'budget', 'cost', 'time', 'circuit_open'])
          .describe(
            '`asked` in this request; `reported`, you recently reported a message’s outcome; `known`, its last answer is fresh; `silent`, two others had no answer; `settled`, a row of a file that needs no provider; `budget` of the month; `cost`, `time`: over the request’s ceiling; `circuit_open`, it failed too often.',
          ),
      }),
    )
    .describe('Providers that could not, and why.'),
  missed: z.boolean().describe('A provider worth asking was left out for recent failures.'),
  left: z
    .object({
      cost_usd: z.number().describe('US dollars.'),
      latency_ms: z.number().describe('Milliseconds.'),
    })
    .describe('What the request’s ceilings leave before the choice.'),
});

/** The row with what replays the decision; those fields are null once the trace is older than 90 days. */
export const Trace = TraceRow.extend({
  sent_to: z
    .array(z.string())
    .describe('Every vendor that received the address, by its id in `GET /v1/subprocessors`.'),
  did_you_mean: Display.nullable().describe('A typo’s correction, masked like `display`.'),
  confidence_interval: z
    .tuple([Probability, Probability])
    .nullable()
    .describe('90 % credible interval of the probability. Null once the detail is gone.'),
  signals: Signals.nullable().describe('Features of the address and its domain. Null once the detail is gone.'),
  providers: z
    .record(z.string(), ProviderReceipt)
    .nullable()
    .describe('Each asked provider’s answer. Null once the detail is gone.'),
  provider_failures: z
    .array(
      z.object({
        provider: z.string().describe('The provider whose call failed.'),
        kind: z.string().describe('How: `timeout`, `unreachable`, `rate_limited` …'),
        ms: LatencyMs.describe('How long the call took, in milliseconds.'),
        may_cost_usd: Usd.describe('The possible bill, which is not in `cost_usd`.'),
      }),
    )
    .nullable()
    .describe('Calls to providers that failed. Null once the detail is gone.'),
  features: Features.nullable().describe('What was known before a provider was asked. Null once the detail is gone.'),
  route: z.array(RouteStep).nullable().describe('Each choice of whom to ask. Null once the detail is gone.'),
  policy_decision: StoredPolicyDecision.nullable().describe('Null unless `/v1/decide` wrote the trace.'),
  bulk_decision: StoredPolicyDecision.nullable().describe(
    'The policy’s decision; only for rows of a job with a policy.',
  ),
  outcome: ReportedOutcome.nullable().describe('The newest report of the message’s outcome.'),
  reasons: z.array(CheckReason).nullable().describe('All findings of the free checks. Null once the detail is gone.'),
  disagreement: Probability.nullable().describe(
    'How far the providers’ answers are apart. Null once the detail is gone.',
  ),
  calibration: Calibration.nullable().describe('What moved the number. Null once the detail is gone.'),
  context: VerificationContext.nullable().describe('The request’s context. Null once the detail is gone.'),
});
export type Trace = z.infer<typeof Trace>;

export const TraceResponse = z.object({ trace: Trace.describe('The trace.') });
export const TraceParams = z.object({ trace_id: z.string().describe('`vr_…`, or `dc_…` of a decision.') });
