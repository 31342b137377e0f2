import type { Address } from '../../domain/address/types.ts';
import type { ObservationContext, ProofOfLife } from '../../domain/belief/facts.ts';
import { MEMORY_MS } from '../../domain/belief/facts.ts';
import { rowName } from '../../domain/belief/names.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { findNewestTraces } from '../../storage/postgres/mail-reports.ts';
import { findHost, type HostDeps } from '../verification/find-host.ts';
import { type HashDeps, hashDomain } from '../verification/observe.ts';
import { findTracedAddresses } from './traced-address.ts';

/** What a person did, and where it was told, by whose address. `address` null: only the hash is known. */
interface Proof {
  readonly addressHash: string;
  readonly address: Address | null;
  readonly proof: ProofOfLife;
}

type ProofDeps = HashDeps &
  HostDeps & { readonly db: Database; readonly objects: ObjectDeps; readonly now: () => number };

const LOOK_UP_MS = 2 * SECOND_MS;

/** Enters a proof of life into the history of its address, as its newest trace has seen it, else as it is seen now. A repeat changes nothing. */
export async function learnProof(deps: ProofDeps, organisationId: Id<'org'>, told: Proof): Promise<void> {
  const context = (await contextByTrace(deps, organisationId, told)) ?? (await contextNow(deps, organisationId, told));
  if (context === null) return;
  const learnt = [{ context, answers: [], report: null, proof: told.proof }];
  await askObject(deps.objects, organisationId).restoreHistory({ learnt });
}

async function contextByTrace(
  deps: ProofDeps,
  organisationId: Id<'org'>,
  { addressHash }: Proof,
): Promise<ObservationContext | null> {
  const now = deps.now();
  const [trace = null] = await findNewestTraces(deps.db, [
    { addressHash, from: now - MEMORY_MS.to, until: now + SECOND_MS },
  ]);
  if (trace === null) return null;
  return (await findTracedAddresses(deps, organisationId, [trace.traceId])).get(trace.traceId)?.context ?? null;
}

async function contextNow(
  deps: ProofDeps,
  organisationId: Id<'org'>,
  { addressHash, address, proof }: Proof,
): Promise<ObservationContext | null> {
  if (address === null) return null;
  const { host, precheck } = await findHost(deps, address, deps.now() + LOOK_UP_MS);
  if (precheck.certain) return null;
  return {
    address: rowName(addressHash),
    domain: rowName(hashDomain(deps, organisationId, address.domain)),
    list: null,
    at: proof.at,
    host,
    features: [],
    purpose: 'signup',
  };
}
