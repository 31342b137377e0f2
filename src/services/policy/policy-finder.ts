import { compilePolicy } from '../../domain/policy/compile.ts';
import { DEFAULT_POLICY, DEFAULT_SLUG, type PolicyVersion } from '../../domain/policy/policy-records.ts';
import type { ParsedPolicy } from '../../domain/policy/document.ts';
import { callObject, type ObjectDeps, objectError } from '../../organisation/api.ts';
import type { DecideDeps, DecidingPolicy } from './deciding-policy.ts';
import type { PolicyMemory } from './policy-memory.ts';

/** Stands in where the account's policy can't be had. Versions of accounts begin with 1. */
const BUILT_IN: DecidingPolicy = {
  slug: DEFAULT_SLUG,
  version: 0,
  createdAt: 0,
  policy: compilePolicy(DEFAULT_POLICY),
};

/**
 * Compiled policies of accounts. A document comes with the admission when its version is new to the isolate; it is asked for
 * only where the memory has lost it since. While the object is out of reach the last known version has to do, or the built-in
 * policy.
 */
export function policyFinder(
  objects: ObjectDeps,
  memory: PolicyMemory,
): Pick<DecideDeps, 'knownPolicy' | 'findPolicy'> {
  return {
    knownPolicy: (organisationId, slug) => memory.get(organisationId, slug) ?? null,

    async findPolicy(organisationId, slug, version, sent) {
      const known = memory.get(organisationId, slug);
      if (version === null) return known ?? BUILT_IN;
      if (sent !== undefined && sent.document !== null) {
        const { createdAt, document } = sent;
        const found = ready({ slug, version, createdAt, document });
        memory.set(organisationId, found, document.length);
        return found;
      }
      if (known?.version === version && (sent === undefined || known.createdAt === sent.createdAt)) return known;
      const answer = await callObject(objects, organisationId).readPolicy({ slug, version });
      if (!answer.ok && answer.error !== 'unreachable') throw objectError(answer.error);
      if (!answer.ok) return known ?? BUILT_IN;
      if (answer.value === null) throw new Error('the version in force is not there');
      const found = ready(answer.value);
      if (known === undefined) memory.set(organisationId, found, answer.value.document.length);
      return found;
    },
  };
}

const ready = ({ slug, version, createdAt, document }: Omit<PolicyVersion, 'createdBy'>): DecidingPolicy => ({
  slug,
  version,
  createdAt,
  policy: compilePolicy(JSON.parse(document) as ParsedPolicy),
});
