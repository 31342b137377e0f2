import type { CompiledPolicy } from '../../domain/policy/compile.ts';
import type { Id } from '../../kernel/ids.ts';
import type { PolicyIdentity, PolicyInForce } from '../../organisation/api.ts';
import type { VerifyDeps } from '../verification/judge.ts';
import type { ApplyPolicyDeps } from './apply-policy.ts';

/** A policy that is compiled, with the name and version that an answer shows. */
export interface DecidingPolicy extends PolicyIdentity {
  readonly slug: string;
  readonly policy: CompiledPolicy;
}

export interface DecideDeps extends VerifyDeps, ApplyPolicyDeps {
  /** The newest version of the account's policy that this isolate has met. */
  knownPolicy(organisationId: Id<'org'>, slug: string): DecidingPolicy | null;
  /**
   * The account's policy in this version; `sent` came with the admission. `version` null: the object is out of reach, and the
   * last known version or the built-in policy has to do. Throws a refusal.
   */
  findPolicy(
    organisationId: Id<'org'>,
    slug: string,
    version: number | null,
    sent?: PolicyInForce['sent'],
  ): Promise<DecidingPolicy>;
}
