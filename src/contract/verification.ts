import * as z from 'zod';
import { DidYouMean, EmailInput, LatencyMs, Probability, Usd } from './common.ts';
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
} from './vocabulary.ts';

/**
 * At least two labels, internationalised ones as typed, hyphens inside only. A numeric last label means an IP address.
 */
const DOMAIN_NAME =
  /^(?=.{3,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.){1,126}(?!\d+$)[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;

export const VerificationContext = z.object({
  purpose: Purpose.optional().describe('`signup` when left out; `outbound` in the tool `verify_email`.'),
  sender_domain: z
    .string()
    .regex(DOMAIN_NAME, 'must be a domain name')
    .optional()
    .describe('Kept on the trace; changes no number.'),
  max_cost_usd: z
    .number()
    .min(0)
    .optional()
    .describe('The service asks fewer providers rather than exceed it. 0.02 when left out.'),
  max_latency_ms: z.number().min(0).optional().describe('Likewise. 3,500 when left out.'),
});
export type VerificationContext = z.infer<typeof VerificationContext>;

export const VerifyRequest = z.object({ email: EmailInput, context: VerificationContext.optional() });
export type VerifyRequest = z.infer<typeof VerifyRequest>;

export const Signals = z.object({
  syntax: z.boolean(),
  mx: z.boolean().nullable().describe('Null when the DNS look-up itself failed.'),
  disposable: z.boolean(),
  role_account: z.boolean(),
  catch_all: z.boolean(),
  relay_alias: z.boolean(),
});
export type Signals = z.infer<typeof Signals>;

export const ProviderReceipt = z.object({
  verdict: z.enum(['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown']),
  ms: LatencyMs,
  cost: Usd,
  reason: z.string().nullable(),
});
export type ProviderReceipt = z.infer<typeof ProviderReceipt>;

export const Verification = z.object({
  email: z.string(),
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
  signals: Signals,
  providers: z.record(z.string(), ProviderReceipt),
  disagreement: Probability,
  cache: z
    .object({
      hit: z.boolean().describe('Stored evidence of yours about this address took part, and no provider was asked.'),
      ttl_s: z.number().int().min(0).describe('Seconds until the newest of it is forgotten; 0 without a hit.'),
    })
    .describe('What is known of a domain is not a hit and shows no time.'),
  cost_usd: Usd.describe(
    'What the answers in `providers` cost. A call that was given up, or failed midway, may be billed too: it counts against `max_cost_usd` and in `provider_spend_usd` of the usage, not here.',
  ),
  latency_ms: LatencyMs,
  trace_id: z.string(),
  reason: CheckReason.nullable(),
  reasons: z.array(CheckReason),
  degraded: z.literal(true).optional(),
  identity_hash: z.string().length(64).optional(),
});
export type Verification = z.infer<typeof Verification>;
