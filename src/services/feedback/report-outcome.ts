import type { OutcomeReceipt } from '../../contract/feedback.ts';
import { ROUTES } from '../../contract/routes.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { type OutcomeRecord, outcomeReceipt } from '../../domain/feedback/outcomes.ts';
import { extractSmtpCodes } from '../../domain/feedback/smtp-codes.ts';
import { maySeeTrace } from '../../domain/traces/present.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import { type Id, idTimeMs, parseId, siblingId } from '../../kernel/ids.ts';
import { findTraceAddresses } from '../../storage/postgres/traces.ts';
import { type Caller, earlierAnswer } from '../caller.ts';
import { flush, type HistoryDeps } from '../traces/history.ts';
import { verb } from '../verb.ts';

/**
 * Takes a report of what became of a message. The object has it before the answer leaves. Of the bounce text only codes are
 * kept.
 */
export const reportOutcome = verb({
  route: ROUTES.outcome,
  run: async (context, { body }): Promise<OutcomeReceipt> => {
    const { deps, admitted, organisationId, mode } = context;
    const earlier = earlierAnswer(admitted);
    if (earlier !== null) return JSON.parse(earlier) as OutcomeReceipt;

    const codes = body.smtp_code === undefined ? null : extractSmtpCodes(body.smtp_code);
    // Made of the request's id: a commit that is sent twice is one report.
    const id = siblingId('oc', context.traceId as Id<'rq'>);
    const record: OutcomeRecord = {
      id,
      organisationId,
      mode,
      traceId: body.trace_id,
      keyId: admitted.key.id,
      outcome: body.outcome,
      basicCode: codes?.code ?? null,
      enhancedCode: codes?.enhanced ?? null,
      reportedAt: idTimeMs(id),
    };
    const receipt = outcomeReceipt(record, await hasTrace(deps, context, admitted.key, body.trace_id));
    const kept = await context.commit({
      // A read of the trace looks for reports under the trace's id.
      trace: { kind: 'outcome', id: record.traceId, record: JSON.stringify(record), addressHash: null },
      spendMicros: 0,
      answer: JSON.stringify(receipt),
    });
    return kept === null ? receipt : (JSON.parse(kept) as OutcomeReceipt);
  },
});

/** A report waits no longer for Postgres. */
const LOOK_UP_MS = 1_000;

/** Whether the key may read this verification, by itself or in a decision. Null: that can't be told in time. */
async function hasTrace(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  text: string,
): Promise<boolean | null> {
  const id = parseId('vr', text);
  if (id === null) return false;
  const answer = await within(lookUp(deps, caller, key, id), LOOK_UP_MS);
  return answer === LATE ? null : answer;
}

/**
 * A trace that the key may not read takes the same steps as one that does not exist: neither answer nor time tells them apart.
 */
async function lookUp(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  id: Id<'vr'>,
): Promise<boolean | null> {
  const isSeen = (trace: Pick<TraceRecord, 'mode' | 'keyId'> | undefined): boolean =>
    trace !== undefined && maySeeTrace(key, trace);
  const find = () =>
    findTraceAddresses(deps.db, caller.organisationId, [id]).then(
      (found) => isSeen(found.get(id)),
      () => null,
    );
  if ((await find()) === true) return true;
  // A young trace may still be with the object.
  const { drained, held } = await flush(deps, caller, id);
  if (held !== null && isSeen(JSON.parse(held) as TraceRecord)) return true;
  return drained ? find() : null;
}
