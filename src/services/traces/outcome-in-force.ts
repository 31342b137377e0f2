import type { OutcomeRecord } from '../../domain/feedback/outcomes.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Flushed } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { findOutcome } from '../../storage/postgres/feedback.ts';
import type { Caller } from '../caller.ts';

/** The report in force about a verification, whether Postgres has it or the object still holds it. */
export async function outcomeInForce(
  db: Database,
  caller: Pick<Caller, 'organisationId' | 'mode'>,
  id: Id<'vr'>,
  { drained, held, heldOutcome }: Flushed,
): Promise<OutcomeRecord | null> {
  if (heldOutcome !== undefined) {
    const record = JSON.parse(heldOutcome) as OutcomeRecord;
    // A report of the other mode leaves the written one in force.
    if (record.mode === caller.mode) return record;
  }
  // Postgres does not have the trace yet, and so no report of it.
  return held !== null && !drained ? null : findOutcome(db, caller.organisationId, caller.mode, id);
}
