import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { seesWholeOrganisation } from '../../domain/access/roles.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
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

/**
 * The key whose rows are shown to `key` when it asks for those of `asked`; null: the rows of all keys. A key that may not see
 * the whole organisation sees its own rows or none.
 */
export function writtenBy(key: KeyIdentity, asked: string | undefined): Id<'key'> | null | 'none' {
  const mine = seesWholeOrganisation(key) ? null : key.id;
  if (asked === undefined) return mine;
  const wanted = parseId('key', asked);
  return wanted === null || (mine !== null && wanted !== mine) ? 'none' : wanted;
}
