import QuickLRU from 'quick-lru';
import { readKey } from '../domain/access/keys.ts';
import type { Provider } from '../domain/belief/provider.ts';
import type { EnrichmentVendor, EnrichmentVendorId } from '../domain/policy/enrichment.ts';
import { ProviderHealthTracker } from '../domain/router/provider-health.ts';
import { type ModelBackend, ModelCircuit } from '../domain/screening/model.ts';
import type { DomainSuggester } from '../domain/screening/typo/suggest.ts';
import { createEnrichmentVendors } from '../integrations/enrichment/vendors.ts';
import { exchange } from '../integrations/exchange.ts';
import { createMailServices, type MailServices } from '../integrations/mail-services/mail-services.ts';
import { createModelBackend, type RunAi } from '../integrations/model.ts';
import { createProviders } from '../integrations/providers/providers.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { deriveKey, sha256Hex } from '../kernel/crypto.ts';
import { log } from '../kernel/log.ts';
import { type AddressTables, createAddressTables } from '../services/bulk/stored-files.ts';
import { type ConnectionMemory, createConnectionMemory } from '../services/connection-memory.ts';
import type { ConfiguredVendors } from '../services/deps.ts';
import type { KeyCaller } from '../services/object-exchange.ts';
import { withSuggestionMemory } from '../services/verification/meant-domain.ts';
import { createDomainCache, type DomainCache } from '../storage/domain-facts.ts';
import { PolicyMemory } from '../storage/policy-memory.ts';
import { connectDatabase, type Database } from '../storage/postgres/client.ts';
import { bindingsOf } from './bindings.ts';
import { type Config, configuredVendors, readConfig, serviceClock } from './config.ts';
import { addressHashes, type Hash, type Hashes, hasher } from './hasher.ts';
import { CurrentBackEnds, CurrentLists, isProviderTypo, isProvidersHost, LISTS, suggestDomain } from './lists.ts';
import { type LogResolverFailure, resolverFailureLog } from './monitoring.ts';

/** Derived keys are cached for the busiest organisations. */
const KEYS_KEPT = 1_000;

/** A key that the object has refused is refused without asking it again for this long. */
const REFUSED_MS = 5 * SECOND_MS;

export interface KeyMemory<T> {
  readonly read: (key: string) => T | null;
  /** The object has refused the key: revoked, expired, or of a deleted organisation. */
  readonly refuse: (key: string) => void;
}

/**
 * Remembers the keys whose MAC was right: to check one takes a fifth of a request's time. It says what a key claims; whether the key
 * is alive only the organisation's object knows, and its refusals alone are remembered for a while. Forged keys are never kept.
 */
export function keyMemory<T extends object>(read: (key: string) => T | null, now: Clock): KeyMemory<T> {
  const memory = new QuickLRU<string, T>({ maxSize: KEYS_KEPT });
  const refused = new QuickLRU<string, number>({ maxSize: KEYS_KEPT });
  return {
    read: (key) => {
      if ((refused.get(key) ?? 0) > now()) return null;
      const known = memory.get(key);
      if (known !== undefined) return known;
      const claims = read(key);
      if (claims !== null) memory.set(key, claims);
      return claims;
    },
    refuse: (key) => void refused.set(key, now() + REFUSED_MS),
  };
}

/** Characters of policies' documents: an isolate has 128 MB. */
const POLICIES_SIZE_MAX = 2 ** 23;

type Keys = readonly [Uint8Array, ...Uint8Array[]];

/** What all requests of an isolate share: checked settings, lists, derived keys, settled DNS facts. */
interface Isolate {
  readonly config: Config;
  readonly now: Clock;
  readonly db: Database;
  readonly current: CurrentLists;
  readonly backEnds: CurrentBackEnds;
  readonly domains: DomainCache;
  readonly suggestDomain: DomainSuggester;
  readonly keys: KeyMemory<KeyCaller>;
  readonly logResolverFailure: LogResolverFailure;
  /** When the isolate last sent its counters. */
  readonly countersFlushed: { at: number };
  readonly providers: readonly Provider[];
  readonly providerHealth: ProviderHealthTracker;
  readonly enrichmentVendors: readonly EnrichmentVendor[];
  readonly enrichmentHealth: ProviderHealthTracker<EnrichmentVendorId>;
  readonly vendors: ConfiguredVendors;
  readonly policies: PolicyMemory;
  readonly model: ModelBackend | null;
  readonly modelCircuit: ModelCircuit;
  readonly addresses: Hashes;
  readonly hashIdentity: (organisationId: string, canonical: string) => string;
  /** Hash ids that a payment processor gives people, under the present secret first. */
  readonly hashReferences: readonly Hash[];
  readonly connections: ConnectionMemory;
  /** With the certificates that they have fetched. */
  readonly mailServices: MailServices;
  readonly addressTables: AddressTables;
  /** Both derive from `HASH_SECRET`: the key in use, then those of before a rotation. */
  readonly sealKeys: () => Keys;
  readonly connectionIdKeys: () => Keys;
}

/** Enrichment looks up stored facts, which is faster than asking a mail host. */
const LOOK_UP_MS = 1_000;

const configs = new WeakMap<object, Config>();

/** The settings, read once an isolate; their faults go to the log. */
export function configOf(env: Env): Config {
  const known = configs.get(env);
  if (known) return known;
  const config = readConfig({ ...env });
  for (const { required, ...fault } of config.faults) log(required ? 'error' : 'warn', 'setting_wrong', { ...fault });
  configs.set(env, config);
  return config;
}

const isolates = new WeakMap<object, Isolate>();

/** The isolate's shared part, made with the first request. */
export function isolateOf(env: Env): Isolate {
  const known = isolates.get(env);
  if (known) return known;
  const config = configOf(env);
  const now = serviceClock(config.clockOffsetMs);
  const { FACTS } = bindingsOf(env);
  const current = new CurrentLists(LISTS, isProviderTypo, FACTS, now);
  const providers = createProviders(config.providers, (url, init) => fetch(url, init));
  const enrichmentVendors = createEnrichmentVendors(config.enrichment, (...question) =>
    exchange((url, init) => fetch(url, init), ...question),
  );
  const { hash, earlierHashes } = config.secrets;
  const keysFor = (use: string): Keys => [
    deriveKey(hash(), use),
    ...earlierHashes.map((secret) => deriveKey(secret, use)),
  ];
  const isolate: Isolate = {
    config,
    now,
    db: connectDatabase(config.database),
    current,
    backEnds: new CurrentBackEnds({ isProvidersHost, isTypo: isProviderTypo, lists: current.lists }, FACTS, now),
    domains: createDomainCache(),
    suggestDomain: withSuggestionMemory(suggestDomain),
    keys: keyMemory((key) => {
      const claims = readKey(config.secrets.keys(), key);
      return claims && { ...claims, key, keyHash: sha256Hex(key) };
    }, now),
    logResolverFailure: resolverFailureLog(now),
    countersFlushed: { at: now() },
    providers,
    providerHealth: new ProviderHealthTracker(),
    enrichmentVendors,
    vendors: configuredVendors(config, { providers, enrichmentVendors }),
    enrichmentHealth: new ProviderHealthTracker(LOOK_UP_MS),
    policies: new PolicyMemory(POLICIES_SIZE_MAX),
    model: createModelBackend(config.model, (url, init) => fetch(url, init), runAi(env)),
    modelCircuit: new ModelCircuit(),
    addresses: addressHashes(hash, earlierHashes),
    hashIdentity: hasher(hash, 'identity'),
    hashReferences: [hash, ...earlierHashes.map((secret) => () => secret)].map((secret) => hasher(secret, 'processor')),
    connections: createConnectionMemory(),
    mailServices: createMailServices({ fetch: (url, init) => fetch(url, init), baseUrl: config.snsBaseUrl }),
    addressTables: createAddressTables(),
    sealKeys: () => keysFor('processor secrets'),
    connectionIdKeys: () => keysFor('connection ids'),
  };
  isolates.set(env, isolate);
  return isolate;
}

/** The Workers AI binding; optional in `wrangler.toml`. */
const runAi =
  (env: Env): RunAi =>
  async (...call) => {
    const { AI } = env as Env & { readonly AI?: { run: RunAi } };
    if (!AI) throw new Error('the AI binding is missing');
    return AI.run(...call);
  };
