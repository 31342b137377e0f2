import { FEATURES, type ObservationContext } from '../domain/belief/facts.ts';
import { listOfCalls, listOfJob, rowName } from '../domain/belief/names.ts';
import { isHostClass } from '../domain/belief/prior-table.ts';
import type { TraceRecord } from '../domain/traces/record.ts';
import type { Id } from '../kernel/ids.ts';
import type { Database } from '../storage/postgres/client.ts';
import { findTraceAddresses } from '../storage/postgres/traces.ts';
import { type HashDeps, hashDomain } from './verification/observe.ts';

/** What is read of a trace to know which address it is about, and how that was seen. */
export type SeenTrace = Pick<
  TraceRecord,
  'mode' | 'keyId' | 'addressHash' | 'domain' | 'hostClass' | 'bulkJobId' | 'createdAt' | 'observation'
>;

/** A trace's address, as the account's history names it. */
interface TracedAddress {
  readonly addressHash: string;
  readonly context: ObservationContext;
}

/** Null where the address's history takes no part: a test key, a certain finding, an address that was erased. */
export function contextOfTrace(deps: HashDeps, organisationId: Id<'org'>, trace: SeenTrace): TracedAddress | null {
  const { mode, keyId, addressHash, domain, hostClass, bulkJobId, createdAt, observation } = trace;
  if (mode !== 'live' || addressHash === null || hostClass === null || !isHostClass(hostClass)) return null;
  const purpose = observation?.purpose ?? 'outbound';
  const list = bulkJobId !== null ? listOfJob(bulkJobId) : keyId === null ? null : listOfCalls(keyId, purpose);
  const features = FEATURES.filter((feature) => observation?.features.includes(feature) === true);
  const context = {
    address: rowName(addressHash),
    domain: rowName(hashDomain(deps, organisationId, domain)),
    list,
    at: createdAt,
    host: hostClass,
    features,
    purpose,
  };
  return { addressHash, context };
}

/** The addresses of these traces, by the id that was asked for. */
export async function findTracedAddresses(
  deps: HashDeps & { readonly db: Database },
  organisationId: Id<'org'>,
  ids: readonly Id<'vr' | 'dc'>[],
): Promise<ReadonlyMap<string, TracedAddress>> {
  const found = await findTraceAddresses(deps.db, organisationId, ids);
  const traced = [...found].map(([id, trace]) => [id, contextOfTrace(deps, organisationId, trace)] as const);
  return new Map(traced.flatMap(([id, address]) => (address === null ? [] : [[id, address] as const])));
}
