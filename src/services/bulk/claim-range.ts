import { NO_HISTORY } from '../../domain/answer/account.ts';
import type { JobRecord } from '../../domain/bulk/job-record.ts';
import type { Claim } from '../../domain/bulk/ranges.ts';
import { lossesInForce } from '../../domain/router/losses.ts';
import { NO_RULES } from '../../domain/rules/types.ts';
import { sha256Bytes } from '../../kernel/crypto.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps, type PolicyInForce, type ProbeMatch } from '../../organisation/api.ts';
import { type Admission, admittedBy } from '../admission.ts';
import type { DecideDeps, DecidingPolicy } from '../policy/deciding-policy.ts';

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
  readonly policy: DecidingPolicy | null;
  /** The admission of one of its addresses, with the rules that match it and what is known of it. */
  readonly admit: (match: ProbeMatch | null) => Admission;
}

/**
 * Claims a job's next range. The object charges it then, so the claim admits its addresses. Null: no range is left. `lease`:
 * names this holder.
 */
export async function claimRange(
  checks: Pick<DecideDeps, 'findPolicy'>,
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
    policy: await findPolicy(checks, organisationId, record.job.policySlug, policy),
    admit: (match) => {
      const { history, ...rules }: ProbeMatch = match ?? NO_RULES;
      return admittedBy({
        key,
        organisation,
        rules,
        history: history ?? NO_HISTORY,
        earlier: null,
        policy,
        providerLeftMicros,
        losses,
        off,
      });
    },
  };
}

/** The version of the policy that the job began with. Throws where it can't be had: another version decides differently. */
async function findPolicy(
  checks: Pick<DecideDeps, 'findPolicy'>,
  organisationId: Id<'org'>,
  slug: string | null,
  inForce: PolicyInForce | null,
): Promise<DecidingPolicy | null> {
  if (slug === null || inForce === null) return null;
  const found = await checks.findPolicy(organisationId, slug, inForce.version);
  if (found.version !== inForce.version) throw new Error('the job’s policy can’t be read now');
  return found;
}
