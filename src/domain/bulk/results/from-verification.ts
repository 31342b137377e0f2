import type { Verification } from '../../../contract/verification.ts';
import type { Id } from '../../../kernel/ids.ts';
import type { RowKind, RowResult } from './row-result.ts';

/** What an answer says, as a row shows it. */
export const rowResultOf = (
  answer: Verification,
  decision: Extract<RowKind, { status: 'ok' }>['decision'],
): RowResult => ({
  kind: {
    status: 'ok',
    verdict: answer.verdict,
    bounceProbability: answer.bounce_probability,
    recommendation: answer.recommendation,
    reason: answer.reason,
    emailType: answer.email_type,
    esp: answer.esp,
    mailboxType: answer.mailbox_type,
    actorClass: answer.actor_class,
    disposable: answer.signals.disposable,
    roleAccount: answer.signals.role_account,
    catchAll: answer.signals.catch_all,
    relayAlias: answer.signals.relay_alias,
    decision,
  },
  traceId: answer.trace_id as Id<'vr'>,
});
