import type { CompiledPolicy } from '../../domain/policy/compile.ts';
import type { Id } from '../../kernel/ids.ts';
import type { PolicyIdentity, PolicyInForce } from '../../organisation/api.ts';
import type { VerifyDeps } from '../verification/assess.ts';
import type { ApplyPolicyDeps } from './apply-policy.ts';

/** A policy as it decides, by the name and version that an answer shows. */
export interface DecidingPolicy extends PolicyIdentity {
  readonly slug: string;
  readonly policy: CompiledPolicy;
}

export interface DecideDeps extends VerifyDeps, ApplyPolicyDeps {
  /** The newest version met so far of the account's policy of that name. */
  knownPolicy(organisationId: Id<'org'>, slug: string): DecidingPolicy | null;
  /**
   * The account's policy of that name, in that version, of which `sent` came along; `version` null: the account is out of
   * reach, and the last one known or the one that organisations begin with has to do. Throws a refusal.
   */
  findPolicy(
    organisationId: Id<'org'>,
    slug: string,
    version: number | null,
    sent?: PolicyInForce['sent'],
  ): Promise<DecidingPolicy>;
}
