import * as z from 'zod';
import { DidYouMean, EmailInput, LatencyMs, SentEmail, TraceId } from './common.ts';
import { CheckReason, EmailType, Esp, MxProvider } from './vocabulary.ts';

export const CheckRequest = z.object({ email: EmailInput });
export type CheckRequest = z.infer<typeof CheckRequest>;

/** The findings of the precheck, as the free check and screening show them. */
export const Checks = z.object({
  syntax: z.enum(['pass', 'fail']).describe('Whether it is written as an address is.'),
  mx: z
    .enum(['pass', 'fail', 'unknown'])
    .describe('Whether the domain takes mail; `unknown` when the DNS look-up itself failed.'),
  disposable: z
    .enum(['pass', 'fail', 'suspected'])
    .describe('Whether people throw mailboxes of this domain away; `suspected`: perhaps.'),
});

export const CheckResult = z.object({
  email: SentEmail,
  domain: z.string().describe('Its domain: lower case, A-labels.'),
  passes: z
    .boolean()
    .describe(
      'The syntax holds, the domain takes mail and is not disposable, and no rule of yours blocks it. Not a claim that the mailbox exists.',
    ),
  disposable: z.boolean().describe('A list is sure of it, and no rule of yours allows it.'),
  suspected: z.boolean().describe('A list calls the domain disposable, but not surely enough to block it.'),
  reason: CheckReason.nullable().describe('The first of `reasons`; null where `reasons` is empty.'),
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
