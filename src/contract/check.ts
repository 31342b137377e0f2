import * as z from 'zod';
import { DidYouMean, EmailInput, LatencyMs } from './common.ts';
import { CheckReason, EmailType, Esp, MxProvider } from './vocabulary.ts';

export const CheckRequest = z.object({ email: EmailInput });
export type CheckRequest = z.infer<typeof CheckRequest>;

/** The findings of the precheck, as the free check and screening show them. */
export const Checks = z.object({
  syntax: z.enum(['pass', 'fail']),
  mx: z.enum(['pass', 'fail', 'unknown']).describe('`unknown` when the DNS look-up itself failed.'),
  disposable: z.enum(['pass', 'fail', 'suspected']),
});

export const CheckResult = z.object({
  email: z.string(),
  domain: z.string(),
  passes: z.boolean().describe('Not a claim that the mailbox exists.'),
  disposable: z.boolean(),
  suspected: z.boolean(),
  reason: CheckReason.nullable(),
  reasons: z.array(CheckReason),
  checks: Checks,
  esp: Esp,
  email_type: EmailType,
  did_you_mean: DidYouMean.optional(),
  mx_hosts: z.array(z.string()),
  mx_provider: MxProvider.nullable(),
  latency_ms: LatencyMs,
  trace_id: z.string(),
});
export type CheckResult = z.infer<typeof CheckResult>;
