import type * as contract from '../../contract/policy.ts';
import type { ParsedPolicy } from '../../domain/policy/document.ts';
import type { PolicyVersion } from '../../domain/policy/policy-records.ts';
import { epochSeconds } from '../../kernel/clock.ts';

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
