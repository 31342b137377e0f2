import type { Claim } from '../../domain/bulk/chunks.ts';
import type { JobRecord } from '../../domain/bulk/job-record.ts';
import { compiled, type DecidingPolicy } from '../../domain/policy/decision.ts';
import { NO_RULES } from '../../domain/rules/rules.ts';
import { sha256Bytes } from '../../kernel/crypto.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps, type LookupMatch } from '../../organisation/api.ts';
import { type Authorization, authorizedBy } from '../authorization.ts';

/** The job's policy version, and the enrichment budget left when the chunk was claimed. */
export interface ChunkPolicy extends DecidingPolicy {
  readonly enrichmentLeftMicros: number;
}

export interface HeldChunk {
  readonly organisationId: Id<'org'>;
  readonly record: JobRecord;
  readonly claim: Claim;
  /** 16 bytes of the traces' ids, the same at each delivery: an address has one trace and one reservation. */
  readonly traceSeed: Uint8Array;
  /** Vendors that the account switched off. */
  readonly off: readonly string[];
  /** Null means the job only verifies. */
  readonly policy: ChunkPolicy | null;
  /** The authorization of one address, with its matching rules and history. */
  readonly authorize: (match: LookupMatch | null) => Authorization;
}

/**
 * Claims a job's next chunk. The object charges it then, so the claim authorizes its addresses. Null means no chunk is
 * left. `lease`: names this holder.
 */
export async function claimChunk(
  objects: ObjectDeps,
  organisationId: Id<'org'>,
  id: Id<'bj'>,
  lease: Id<'rq'>,
): Promise<HeldChunk | null> {
  const given = await askObject(objects, organisationId).claimChunk({ id, lease });
  if (given === null) return null;
  const { claim, record, policy, off, losses, providerLeftMicros } = given;
  const { owner: key, organisation } = record;
  return {
    organisationId,
    record,
    claim,
    off,
    traceSeed: sha256Bytes(`${id} ${claim.from}`).subarray(0, 16),
    policy: policy && { ...compiled(policy), enrichmentLeftMicros: policy.enrichmentLeftMicros },
    authorize: (match) => {
      const { history, ...rules }: LookupMatch = match ?? NO_RULES;
      const known = { ...(history && { history }), ...(losses && { losses }), off };
      return authorizedBy({
        key,
        organisation,
        rules,
        earlier: null,
        ...known,
        ...(providerLeftMicros !== undefined && { providerLeftMicros }),
      });
    },
  };
}
