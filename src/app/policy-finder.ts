import { callObject, type ObjectDeps } from '../domain/organisation/client.ts';
import { PORT_VERSION } from '../domain/organisation/index.ts';
import type { DecideDeps, DecidingPolicy } from '../domain/policy/decide.ts';
import { compilePolicy, DEFAULT_POLICY, DEFAULT_SLUG, type ParsedPolicy } from '../domain/policy/index.ts';
import { objectError } from './ask-object.ts';
import type { PolicyMemory } from './policy-memory.ts';

/** Stands in where no policy of the account's can be had; no version of any account's has its number. */
const BUILT_IN: DecidingPolicy = { slug: DEFAULT_SLUG, version: 0, policy: compilePolicy(DEFAULT_POLICY) };

/**
 * Reads a policy from the organisation's object only when its version is new to the isolate. Where the object is out of
 * reach, from the start or since the request was admitted, the last known version has to do, or the built-in one.
 */
export function policyFinder(objects: ObjectDeps, memory: PolicyMemory): DecideDeps['findPolicy'] {
  return async (organisationId, slug, version) => {
    const known = memory.get(organisationId, slug);
    if (version === null || known?.version === version) return known ?? BUILT_IN;
    const wanted = { v: PORT_VERSION, slug, version } as const;
    const answer = await callObject(objects, organisationId, 'readPolicy', (stub) => stub.readPolicy(wanted));
    if (!answer.ok && answer.error === 'broken') throw objectError(answer.error);
    if (!answer.ok) return known ?? BUILT_IN;
    if (answer.value === null) throw new Error('the version in force is not there');
    const { document } = answer.value;
    const found = { slug, version, policy: compilePolicy(JSON.parse(document) as ParsedPolicy) };
    memory.set(organisationId, found, document.length);
    return found;
  };
}
