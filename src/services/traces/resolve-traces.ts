import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { maySeeTrace } from '../../domain/traces/present.ts';
import { parseId } from '../../kernel/ids.ts';
import { objectError } from '../../organisation/api.ts';
import * as store from '../../storage/postgres/traces.ts';
import type { Caller } from '../caller.ts';
import { flush, type HistoryDeps } from './history.ts';

/** The addresses of the traces that the key may read, by trace id. The newest may still be with the object. */
export async function resolveTraces(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  texts: readonly string[],
): Promise<ReadonlyMap<string, store.TraceAddress>> {
  const ids = texts.flatMap((text) => parseId('vr', text) ?? parseId('dc', text) ?? []);
  if (ids.length === 0) return new Map();
  const { drained, heldAddresses } = await flush(deps, caller, null, ids);
  const found = new Map<string, store.TraceAddress>(heldAddresses?.map(({ id, ...address }) => [id, address]));
  const elsewhere = ids.filter((id) => !found.has(id));
  if (elsewhere.length > 0) {
    const written = await store.findTraceAddresses(deps.db, caller.organisationId, elsewhere);
    for (const [id, address] of written) found.set(id, address);
  }
  // The object did not say what it holds: it may hold the missing ones.
  if (!drained && heldAddresses === undefined && elsewhere.some((id) => !found.has(id)))
    throw objectError('unreachable');
  return new Map([...found].filter(([, trace]) => maySeeTrace(key, trace)));
}
