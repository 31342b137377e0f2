import type { Id } from '../../kernel/ids.ts';
import { callObject, type Flushed, type ObjectDeps } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import type { Caller } from '../caller.ts';

/** History is in Postgres, and the newest of it may still be with the object. */
export interface HistoryDeps {
  readonly db: Database;
  readonly objects: ObjectDeps;
}

/**
 * Has the object write its outbox. The answer has what could not be written of `traceId`, and of the addresses of
 * `addressesOf`.
 */
export async function flush(
  { objects }: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  traceId: Id<'vr' | 'dc'> | null,
  addressesOf?: readonly Id<'vr' | 'dc'>[],
): Promise<Flushed> {
  const flushed = await callObject(objects, caller.organisationId).flush(traceId, addressesOf);
  return flushed.ok ? flushed.value : { drained: false, held: null };
}
