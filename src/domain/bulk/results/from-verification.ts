import type { Verification } from '../../../contract/verification.ts';
import type { Id } from '../../../kernel/ids.ts';
import { answerKept } from '../../verification/answer-kept.ts';
import type { RowKind, RowResult } from './row-result.ts';

/** The row of one verification. */
export const rowResultOf = (
  answer: Verification,
  { meantDomain, decision }: Pick<Extract<RowKind, { status: 'ok' }>, 'meantDomain' | 'decision'>,
): RowResult => ({
  kind: {
    status: 'ok',
    ...answerKept(answer),
    catchAll: answer.signals.catch_all,
    relayAlias: answer.signals.relay_alias,
    meantDomain,
    decision,
  },
  traceId: answer.trace_id as Id<'vr'>,
});
