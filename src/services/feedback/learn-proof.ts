import type { Address } from '../../domain/address/types.ts';
import type { ProofOfLife, Sight } from '../../domain/verification/history.ts';
import { KEPT_MS, rowName } from '../../domain/verification/history-merge.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { findNewestTraces } from '../../storage/postgres/mail-reports.ts';
import { findHost, type HostDeps } from '../verification/find-host.ts';
import { type HashDeps, hashDomain } from '../verification/history.ts';
import { findTracedAddresses } from './sight-of-trace.ts';

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
  const sight = (await sightByTrace(deps, organisationId, told)) ?? (await sightNow(deps, organisationId, told));
  if (sight === null) return;
  const learnt = [{ sight, answers: [], report: null, proof: told.proof }];
  await askObject(deps.objects, organisationId).restoreHistory({ learnt });
}

async function sightByTrace(deps: ProofDeps, organisationId: Id<'org'>, { addressHash }: Proof): Promise<Sight | null> {
  const now = deps.now();
  const [trace = null] = await findNewestTraces(deps.db, [
    { addressHash, from: now - KEPT_MS, until: now + SECOND_MS },
  ]);
  if (trace === null) return null;
  return (await findTracedAddresses(deps, organisationId, [trace.traceId])).get(trace.traceId)?.sight ?? null;
}

async function sightNow(
  deps: ProofDeps,
  organisationId: Id<'org'>,
  { addressHash, address, proof }: Proof,
): Promise<Sight | null> {
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
