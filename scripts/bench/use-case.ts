import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteDeclaration } from '../../src/contract/route.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import type { KeptVerification } from '../../src/domain/answer/assess.ts';
import type { KeptDecision } from '../../src/domain/policy/decision.ts';
import { ProviderHealthTracker } from '../../src/domain/router/provider-health.ts';
import { deriveKey, hmacHex } from '../../src/kernel/crypto.ts';
import type { PolicyInForce } from '../../src/organisation/api.ts';
import { lookupOf } from '../../src/organisation/operations.ts';
import { type Authorization, authorizedBy } from '../../src/services/authorization.ts';
import type { ServiceDeps } from '../../src/services/deps.ts';
import type { Exchange, Input, ReadInput, RouteAnswer, Verb } from '../../src/services/verb.ts';
import type { VerifyDeps } from '../../src/services/verification/judge.ts';
import { classifyMailHosts, matchName, noneSuspected, suggestDomain } from '../lists/shipped.ts';

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');

const LISTS = createLists({
  domains: readFileSync(join(DATA, 'domains.bin')),
  names: readFileSync(join(DATA, 'names.bin')),
});

const keyedHash = (text: string): string => hmacHex(KEY, text);
const KEY = deriveKey(new Uint8Array(32), 'bench');

/** What a verification needs, with everything outside answering at once; `hostsOf`: where a domain's mail goes. */
export const useCaseDeps = (hostsOf: (domain: string) => string[], now: () => number): VerifyDeps => ({
  lists: LISTS,
  classifyMailHosts,
  suggestDomain,
  matchName,
  backEnds: noneSuspected(LISTS),
  now,
  freshLists: async () => undefined,
  hashAddress: (_, text) => keyedHash(text),
  earlierHashes: () => [],
  hashIdentity: (_, text) => keyedHash(text),
  providers: [],
  health: new ProviderHealthTracker(),
  counters: { add: () => undefined },
  domainFacts: { acceptsAll: async () => null, putAcceptsAll: () => undefined },
  findMailHosts: async (domain) => ({ kind: 'found', hosts: hostsOf(domain), implicit: false }),
});

/** An object that authorises, and leaves each judgement to its caller. */
export const openTo = (
  authorize: Exchange['authorize'],
  inForce: PolicyInForce | null = null,
): Pick<Exchange, 'authorize' | 'verify' | 'decide'> => {
  const earlierOf = (authorized: Authorization) => (authorized.reached ? (authorized.earlier?.answer ?? null) : null);
  return {
    authorize,
    async verify({ observed, request }) {
      const authorization = await authorize(lookupOf(observed, request));
      const earlier = earlierOf(authorization);
      return { concluded: earlier === null ? null : (JSON.parse(earlier) as KeptVerification), authorization };
    },
    async decide({ observed, request, policyKnown }) {
      const authorization = await authorize(lookupOf(observed, request));
      const earlier = earlierOf(authorization);
      const isKnown = policyKnown?.version === inForce?.version;
      return {
        concluded: earlier === null ? null : (JSON.parse(earlier) as KeptDecision),
        authorization,
        policy: inForce && { ...inForce, document: isKnown ? null : inForce.document },
      };
    },
  };
};

const NOTHING_SENT: ReadInput = {
  params: undefined,
  query: undefined,
  body: undefined,
  signed: undefined,
  upload: undefined,
  expected: null,
};

/** Runs a verb over an exchange of the caller's own; `deps`: what this verb takes of them. */
export const runVerb = <R extends RouteDeclaration, D extends Partial<ServiceDeps>>(
  deps: D,
  verb: Verb<R>,
  exchange: Exchange,
  input: Partial<Input<R>>,
): Promise<RouteAnswer<R>> => {
  const read = { ...NOTHING_SENT, ...input };
  const whole: Partial<ServiceDeps> = { freshLists: async () => undefined, ...deps };
  return verb.prepare(read, exchange, whole as ServiceDeps)();
};

/** The fields of the authorization; null means the object did not answer. */
export const authorization = (granted: Parameters<typeof authorizedBy>[0]): Authorization => authorizedBy(granted);
