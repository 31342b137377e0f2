import { NO_HISTORY } from '../../domain/answer/account.ts';
import type { JobRecord } from '../../domain/bulk/job-record.ts';
import type { Claim } from '../../domain/bulk/ranges.ts';
import { compiled, type DecidingPolicy } from '../../domain/policy/decision.ts';
import { lossesInForce } from '../../domain/router/losses.ts';
import { NO_RULES } from '../../domain/rules/types.ts';
import { sha256Bytes } from '../../kernel/crypto.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps, type ProbeMatch } from '../../organisation/api.ts';
import { type Admission, admittedBy } from '../admission.ts';

/** The version of the policy that the job began with, and what the enrichment budget had left when the range was claimed. */
export interface RangePolicy extends DecidingPolicy {
  readonly enrichmentLeftMicros: number;
}

/** A range in the hands of a holder. */
export interface HeldRange {
  readonly organisationId: Id<'org'>;
  readonly record: JobRecord;
  readonly claim: Claim;
  /** 16 bytes of the traces' ids, the same at each delivery: an address has one trace, and one reservation of the budget. */
  readonly traceSeed: Uint8Array;
  /** Vendors that the account has switched off. */
  readonly off: readonly string[];
  /** Null: the job only verifies. */
  readonly policy: RangePolicy | null;
  /** The admission of one of its addresses, with the rules that match it and what is known of it. */
  readonly admit: (match: ProbeMatch | null) => Admission;
}

/**
 * Claims a job's next range. The object charges it then, so the claim admits its addresses. Null: no range is left. `lease`:
 * names this holder.
 */
export async function claimRange(
  objects: ObjectDeps,
  organisationId: Id<'org'>,
  id: Id<'bj'>,
  lease: Id<'rq'>,
): Promise<HeldRange | null> {
  const given = await askObject(objects, organisationId).claimRange({ id, lease });
  if (given === null) return null;
  const { claim, record, policy, off } = given;
  const { providerLeftMicros = null } = given;
  const losses = lossesInForce(given.losses ?? null);
  const { owner: key, organisation } = record;
  return {
    organisationId,
    record,
    claim,
    off,
    traceSeed: sha256Bytes(`${id} ${claim.from}`).subarray(0, 16),
    policy: policy && { ...compiled(policy), enrichmentLeftMicros: policy.enrichmentLeftMicros },
    admit: (match) => {
      const { history, ...rules }: ProbeMatch = match ?? NO_RULES;
      return admittedBy({
        key,
        organisation,
        rules,
        history: history ?? NO_HISTORY,
        earlier: null,
        providerLeftMicros,
        losses,
        off,
      });
    },
  };
}
