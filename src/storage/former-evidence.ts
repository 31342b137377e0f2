import type { Id } from '../kernel/ids.ts';

interface Names {
  readonly organisationId: Id<'org'>;
  /** Keyed hash of the address within the organisation. */
  readonly addressHash: string;
  readonly domain: string;
}

/**
 * Erasure: removes what releases before kept in KV of an address (7 days at most) and of its domain (14 days at most). Rejects
 * when the store can't be reached.
 */
export async function forgetFormerEvidence(
  kv: { delete(key: string): Promise<void> },
  { organisationId, addressHash, domain }: Names,
): Promise<void> {
  await Promise.all([
    kv.delete(`evidence:v1:${organisationId}:${addressHash}`),
    kv.delete(`domain-evidence:v3:${organisationId}:${domain}`),
  ]);
}
