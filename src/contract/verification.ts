import * as z from 'zod';
import { DidYouMean, EmailInput, LatencyMs, Probability, SentEmail, TraceId, Usd } from './common.ts';
import {
  ActorClass,
  Calibration,
  CheckReason,
  EmailType,
  Esp,
  MailboxType,
  Purpose,
  Recommendation,
  Verdict,
  Warning,
  MxProvider,
} from './vocabulary.ts';

/** At least two labels, internationalised ones as typed. A numeric last label means an IP address. */
const DOMAIN_NAME =
  /^(?=.{3,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.){1,126}(?!\d+$)[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;

export const VerificationContext = z.object({
  purpose: Purpose.optional().describe('`signup` by default; `outbound` in the tool `verify_email`.'),
  sender_domain: z
    .string()
    .regex(DOMAIN_NAME, 'must be a domain name')
    .optional()
    .describe('Stored with the trace; changes no number.'),
  max_cost_usd: z
    .number()
    .min(0)
    .optional()
    .describe('A ceiling: fewer providers are asked rather than exceed it. 0.02 by default.'),
  max_latency_ms: z.number().min(0).optional().describe('A ceiling, likewise. 3,500 by default.'),
});
export type VerificationContext = z.infer<typeof VerificationContext>;

export const VerifyRequest = z.object({
  email: EmailInput,
  context: VerificationContext.optional().describe('The purpose of the address, and the ceilings of its verification.'),
});
export type VerifyRequest = z.infer<typeof VerifyRequest>;

export const Signals = z.object({
  syntax: z.boolean().describe('The syntax is valid.'),
  mx: z.boolean().nullable().describe('The domain takes mail; null when the DNS look-up itself failed.'),
  disposable: z.boolean().describe('The domain is known for throw-away mailboxes.'),
  role_account: z.boolean().describe('The local part names a function (`sales@`).'),
  catch_all: z.boolean().describe('The domain accepts every recipient, so its server’s acceptance says little.'),
  relay_alias: z.boolean().describe('The domain forwards to a mailbox that it hides.'),
  warning: Warning.optional(),
});
export type Signals = z.infer<typeof Signals>;

export const ProviderReceipt = z.object({
  verdict: z
    .enum(['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown'])
    .describe('The provider’s word, in one vocabulary for all providers.'),
  ms: LatencyMs.describe('How long its answer took, in milliseconds.'),
  cost: Usd.describe('What it bills, in US dollars.'),
  reason: z.string().nullable().describe('Why, in one vocabulary for all providers; null: it gave no reason.'),
  sub_status: z.string().max(64).optional().describe('The provider’s own word for why.'),
});
export type ProviderReceipt = z.infer<typeof ProviderReceipt>;

export const Verification = z.object({
  email: SentEmail,
  verdict: Verdict,
  bounce_probability: Probability.describe('0.31 means 31 in 100 such sends hard-bounce.'),
  confidence_interval: z.tuple([Probability, Probability]).describe('90 % credible interval of the probability.'),
  calibration: Calibration,
  recommendation: Recommendation,
  actor_class: ActorClass,
  mailbox_type: MailboxType,
  esp: Esp,
  email_type: EmailType,
  did_you_mean: DidYouMean.optional(),
  signals: Signals.describe('Features of the address and its domain.'),
  providers: z
    .record(z.string(), ProviderReceipt)
    .describe('The answer of each provider asked for this answer, by its id. Mostly empty: none was needed.'),
  disagreement: Probability.describe(
    'The largest minus the smallest probability that each provider’s answer alone would give; 0 with fewer than two.',
  ),
  cache: z
    .object({
      hit: z.boolean().describe('Your stored evidence about this address was used, and no provider was asked.'),
      ttl_s: z.number().int().min(0).describe('Seconds until the newest of it is forgotten; 0 without a hit.'),
    })
    .describe('Facts of a domain are no hit and show no time.'),
  cost_usd: Usd.describe(
    'The cost of the answers in `providers`. An abandoned or interrupted call may be billed too: it counts against `max_cost_usd` and in `provider_spend_usd` of the usage, not here.',
  ),
  latency_ms: LatencyMs,
  trace_id: TraceId,
  reason: CheckReason.nullable().describe('The first of `reasons`, or null.'),
  reasons: z.array(CheckReason).describe('All findings of the free checks, in the order of the vocabulary.'),
  degraded: z
    .literal(true)
    .optional()
    .describe(
      'True if providers failed and nothing else is known about the address: a weaker answer, not a bad address.',
    ),
  identity_hash: z
    .string()
    .length(64)
    .optional()
    .describe(
      'Equal for every spelling that reaches the same mailbox; keyed to your account. Absent without a valid address.',
    ),
});
export type Verification = z.infer<typeof Verification>;

export const CheckRequest = z.object({ email: EmailInput });
export type CheckRequest = z.infer<typeof CheckRequest>;

/** The precheck's findings, as the free check and screening show them. */
export const Checks = z.object({
  syntax: z.enum(['pass', 'fail']).describe('Whether the syntax is valid.'),
  mx: z
    .enum(['pass', 'fail', 'unknown'])
    .describe('Whether the domain takes mail; `unknown` when the DNS look-up itself failed.'),
  disposable: z
    .enum(['pass', 'fail', 'suspected'])
    .describe('Whether the domain is known for throw-away mailboxes; `suspected`: perhaps.'),
});

export const CheckResult = z.object({
  email: SentEmail,
  domain: z.string().describe('Its domain: lower case, A-labels.'),
  passes: z
    .boolean()
    .describe(
      'The syntax holds, the domain takes mail and is not disposable, and no rule of yours blocks it. Not a claim that the mailbox exists.',
    ),
  disposable: z.boolean().describe('Known as disposable, without an allow rule of yours.'),
  suspected: z.boolean().describe('A list calls the domain disposable, but not surely enough to block it.'),
  reason: CheckReason.nullable().describe('The first of `reasons`, or null.'),
  reasons: z.array(CheckReason).describe('All findings, in the order of the vocabulary.'),
  checks: Checks.describe('Each check by itself.'),
  esp: Esp,
  email_type: EmailType,
  did_you_mean: DidYouMean.optional(),
  mx_hosts: z.array(z.string()).describe('The hosts that take the domain’s mail, the preferred one first.'),
  mx_provider: MxProvider.nullable().describe('The company that runs them; null without mail hosts.'),
  latency_ms: LatencyMs,
  trace_id: TraceId,
});
export type CheckResult = z.infer<typeof CheckResult>;
