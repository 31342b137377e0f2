import type * as contract from '../../contract/policy.ts';
import type { ParsedPolicy } from '../../domain/policy/document.ts';
import type { PolicyVersion } from '../../domain/policy/policy-records.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { askObject, type OrganisationPort } from '../../organisation/api.ts';
import type { Context } from '../verb.ts';

/** Documents have up to 256 KB: a call for many of them may take longer than a signup waits. */
const TIMEOUT_MS = 10_000;

export const askPolicies = <T>(
  { deps, organisationId }: Context,
  name: string,
  call: (stub: OrganisationPort) => Promise<T>,
): Promise<T> => askObject(deps.objects, organisationId, name, call, TIMEOUT_MS);

export function policyBody({ slug, version, document, createdAt, createdBy }: PolicyVersion): contract.Policy {
  const { name, rules, default: otherwise, icp } = JSON.parse(document) as ParsedPolicy;
  return {
    slug,
    version,
    name,
    rules,
    default: otherwise,
    icp,
    created_at: epochSeconds(createdAt),
    created_by: createdBy,
  };
}
