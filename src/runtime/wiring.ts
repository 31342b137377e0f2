import { resolveMailHosts } from '../domain/dns/resolve.ts';
import type { CounterTotals } from '../domain/metering/counter-totals.ts';
import { createDohClient, type DohClientOptions } from '../integrations/dns-over-https.ts';
import { exchange } from '../integrations/exchange.ts';
import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import type { WrittenCounters } from '../kernel/log.ts';
import { callOperators, type ObjectDeps, type OperatorsDeps } from '../organisation/api.ts';
import type { BackgroundDeps, ServiceDeps } from '../services/deps.ts';
import type { MailDeps } from '../services/mails.ts';
import { findProvenDomains } from '../services/nightly/learnt-domains.ts';
import { countEnrichment } from '../services/policy/enrich.ts';
import { createMailHostsFinder } from '../services/verification/find-mail-hosts.ts';
import { DomainFacts } from '../storage/domain-facts.ts';
import { InvocationStore } from '../storage/kv.ts';
import { bindingsOf, operatorsStub, organisationStub } from './bindings.ts';
import { isolateOf } from './isolate.ts';
import { classifyMailHosts, isProvidersHost, LISTS, matchName } from './lists.ts';
import { analyticsCounters, flushCounters } from './monitoring.ts';

/** A mail service's time to confirm a subscription. */
const CONFIRM_MS = 5 * SECOND_MS;

/** How often an isolate sends its counters, in one row each time. */
const FLUSH_EVERY_MS = MINUTE_MS;

type PerInvocation =
  | 'lists'
  | 'backEnds'
  | 'findMailHosts'
  | 'domainFacts'
  | 'newDomains'
  | 'companies'
  | 'endInvocation'
  | 'model'
  | 'freshLists';

interface Shared {
  readonly deps: Omit<ServiceDeps, PerInvocation>;
  readonly counters: WrittenCounters;
  readonly model: Omit<ServiceDeps['model'], 'defer' | 'cache'>;
  readonly resolve: (domain: string) => ReturnType<typeof resolveMailHosts>;
  readonly sendCounters: () => Promise<void>;
}

const shared = new WeakMap<object, Shared>();

/** Shared by an isolate's invocations, since making it takes longer than some of them. */
function sharedOf(env: Env): Shared {
  const known = shared.get(env);
  if (known !== undefined) return known;
  const made = makeShared(env);
  shared.set(env, made);
  return made;
}

function makeShared(env: Env): Shared {
  const isolate = isolateOf(env);
  const { config, now, db } = isolate;
  const bindings = bindingsOf(env);
  const counters = analyticsCounters(env.COUNTERS);
  const objects: ObjectDeps & OperatorsDeps = {
    stub: (id) => organisationStub(env, config.primaryRegion, id),
    operators: () => operatorsStub(env, config.primaryRegion),
    now,
    counters,
    pendingRehashes: isolate.addresses.pending,
  };
  const addCounters = (counted: CounterTotals) => callOperators(objects).addCounters(counted);
  const sendCounters = () => flushCounters(addCounters);
  const onQuery: NonNullable<DohClientOptions['onQuery']> = (result, ms) => counters.add('dns_ms', ms, result);
  const askDns = createDohClient({
    urls: config.dohUrls,
    fetch: (url, init) => fetch(url, init),
    now,
    onQuery,
    onFailure: isolate.logResolverFailure,
  });
  const deps: Shared['deps'] = {
    now,
    db,
    objects,
    blobs: bindings.BULK_FILES,
    kv: bindings.FACTS,
    counters,
    // For verification.
    classifyMailHosts,
    hashAddress: isolate.addresses.hash,
    earlierHashes: isolate.addresses.earlier,
    hashIdentity: isolate.hashIdentity,
    providers: isolate.providers,
    health: isolate.providerHealth,
    // For screening.
    suggestDomain: isolate.suggestDomain,
    matchName,
    // For decisions.
    enrichmentVendors: isolate.enrichmentVendors,
    enrichmentHealth: isolate.enrichmentHealth,
    onEnrichment: countEnrichment(counters),
    policies: isolate.policies,
    // For keys and secrets.
    readKey: isolate.keys.read,
    refuseKey: isolate.keys.refuse,
    keySecrets: config.secrets.keys,
    serviceSecret: config.secrets.service,
    sealKeys: isolate.sealKeys,
    connectionIdKeys: isolate.connectionIdKeys,
    hashReferences: isolate.hashReferences,
    connections: isolate.connections,
    mailServices: isolate.mailServices,
    confirmSubscription,
    vendors: isolate.vendors,
    publicUrl: config.publicUrl,
    signupQuota: config.signupQuota,
    // For the service's own status.
    readHealth: () => ({
      status: config.faults.some(({ required }) => required) ? 'misconfigured' : 'ok',
      version: config.version,
    }),
    faults: [...config.faults],
    flushCounters: sendCounters,
    disposableLists: {
      bundled: LISTS,
      urls: config.disposableSourceUrls,
      fetch: (url, init) => fetch(url, init),
      findProven: (runAt, matters) => findProvenDomains(db, now, runAt, matters),
      publish: (overlay) => isolate.current.overlay.publish(overlay),
    },
  };
  const model = { backend: isolate.model, circuit: isolate.modelCircuit, counters, now };
  return {
    deps,
    counters,
    model,
    resolve: (domain) => resolveMailHosts(askDns, domain, isProvidersHost),
    sendCounters,
  };
}

async function confirmSubscription(url: string): Promise<boolean> {
  const question = { url, headers: {}, body: undefined };
  const answer = await exchange(
    (...request) => fetch(...request),
    question,
    () => false,
    CONFIRM_MS,
  );
  return answer.ok && answer.status === 200;
}

/** What one invocation's use cases need. `defer`: defers work until after the answer (`waitUntil`). */
export function openDeps(env: Env, defer: (work: Promise<unknown>) => void): ServiceDeps {
  const isolate = isolateOf(env);
  const { deps, counters, model, resolve, sendCounters } = sharedOf(env);
  const { config, now, countersFlushed } = isolate;
  const store = new InvocationStore(bindingsOf(env).FACTS, defer);
  const domainFacts = new DomainFacts(store, isolate.domains, now);
  if (now() - countersFlushed.at >= FLUSH_EVERY_MS) {
    countersFlushed.at = now();
    defer(sendCounters());
  }
  return {
    ...deps,
    lists: isolate.current.lists,
    backEnds: isolate.backEnds.backEnds,
    findMailHosts: createMailHostsFinder({ resolve, facts: domainFacts, now, defer }),
    domainFacts,
    newDomains: domainFacts,
    companies: store,
    endInvocation: () => {
      store.end();
      counters.write();
    },
    model: { ...model, cache: store, defer },
    freshLists: async (deadlineMs) => {
      // Without list sources the overlay is not read.
      const overlays = config.disposableSourceUrls?.length === 0 ? [] : [isolate.current.overlay];
      await Promise.all([isolate.backEnds.table, ...overlays].map((table) => table.refresh(defer, deadlineMs)));
    },
  };
}

/** What the dashboard's entrypoint needs in addition. */
export const openSignInMail = (env: Env): MailDeps => ({
  fetch: (...request) => fetch(...request),
  mail: isolateOf(env).config.mail,
});

/** Whether the normalised address is an operator's. */
export const isOperatorEmail = (env: Env, email: string): boolean =>
  isolateOf(env).config.operatorEmails.includes(email);

/** What one invocation's queue messages and crons need. */
export function openBackground(env: Env, defer: (work: Promise<unknown>) => void): BackgroundDeps {
  const isolate = isolateOf(env);
  const bindings = bindingsOf(env);
  return {
    ...openDeps(env, defer),
    addressTables: isolate.addressTables,
    publishBackEnds: (suspected) => isolate.backEnds.table.publish(suspected),
    queues: { timers: bindings.WAKE_QUEUE, jobs: bindings.BULK_QUEUE, nights: bindings.NIGHTLY_QUEUE },
  };
}
