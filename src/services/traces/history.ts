import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { seesWholeOrganisation } from '../../domain/access/roles.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { callObject, type Flushed, type ObjectDeps } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import type { Caller } from '../caller.ts';

/** What a read of history needs: what has been written to Postgres, and the object that may still hold some of it. */
export interface HistoryDeps {
  readonly db: Database;
  readonly objects: ObjectDeps;
}

/** The flush itself gives up after 2 s. */
const FLUSH_TIMEOUT_MS = 3_000;

/** Has the object write what it holds, and asks what of `traceId` and of the addresses of traces it could not. */
export async function flush(
  { objects }: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  traceId: Id<'vr' | 'dc'> | null,
  addressesOf?: readonly Id<'vr' | 'dc'>[],
): Promise<Flushed> {
  const flushed = await callObject(
    objects,
    caller.organisationId,
    'flush',
    (stub) => stub.flush(traceId, addressesOf),
    FLUSH_TIMEOUT_MS,
  );
  return flushed.ok ? flushed.value : { drained: false, held: null };
}

/**
 * Whose rows a key gets to see when it asks for those of `asked`: one key's, everybody's (null), or nobody's. A key that
 * may not see the whole organisation gets its own, whatever it asks for.
 */
export function writtenBy(key: KeyIdentity, asked: string | undefined): Id<'key'> | null | 'nobody' {
  const mine = seesWholeOrganisation(key) ? null : key.id;
  if (asked === undefined) return mine;
  const wanted = parseId('key', asked);
  return wanted === null || (mine !== null && wanted !== mine) ? 'nobody' : wanted;
}
