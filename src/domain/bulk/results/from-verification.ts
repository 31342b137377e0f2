import type { Id } from '../../../kernel/ids.ts';
import { answerKept } from '../../answer/answer-kept.ts';
import type { ShownVerification } from '../../answer/answer-shown.ts';
import type { RowKind, RowResult } from './row-result.ts';

/** The row of one verification. */
export const rowResultOf = (
  answer: ShownVerification,
  { meantDomain, basis, decision }: Pick<Extract<RowKind, { status: 'ok' }>, 'meantDomain' | 'basis' | 'decision'>,
): RowResult => ({
  kind: {
    status: 'ok',
    ...answerKept(answer),
    catchAll: answer.signals.catch_all,
    relayAlias: answer.signals.relay_alias,
    meantDomain,
    basis,
    decision,
  },
  traceId: answer.trace_id as Id<'vr'>,
});
