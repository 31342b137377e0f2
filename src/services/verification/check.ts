import type { CheckRequest, CheckResult } from '../../contract/check.ts';
import { checkOutcome } from '../../domain/verification/precheck.ts';
import { emailType } from '../../domain/verification/signals.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Operation } from '../operation.ts';
import { gatherLocalFacts, type LocalFactsDeps, subjectOf } from './local-facts.ts';

/** DNS is all a check waits for; a look-up that takes longer is `mx_unresolved`. */
const LATENCY_MAX_MS = 3_500;

export interface CheckDeps extends LocalFactsDeps {
  readonly now: Clock;
}

/** The free check: what the text, DNS, the lists and the account's rules say. No provider, no probability, no trace. */
export async function check(deps: CheckDeps, op: Operation, request: CheckRequest): Promise<CheckResult> {
  const facts = await gatherLocalFacts(deps, op, subjectOf(deps, op, request.email), op.startedAt + LATENCY_MAX_MS);
  const { passes, disposable, suspected, reason, reasons, checks } = checkOutcome(facts.gate);
  return {
    email: request.email,
    domain: facts.domain,
    ...{ passes, disposable, suspected, reason, reasons: [...reasons], checks },
    esp: facts.provider.esp,
    email_type: emailType(facts.gate, facts.traits),
    mx_hosts: facts.mail?.kind === 'found' ? [...facts.mail.hosts] : [],
    mx_provider: facts.provider.mxProvider,
    latency_ms: Math.max(0, deps.now() - op.startedAt),
    trace_id: op.traceId,
  };
}
