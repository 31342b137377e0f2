import { createFactMemory, type FactMemory } from '../domain/dns/facts.ts';
import { createSources, type Source, type SourceId } from '../domain/policy/index.ts';
import { createModelBackend, type RunAi } from '../domain/screening/adapters/index.ts';
import { type ModelBackend, ModelCircuit } from '../domain/screening/model/index.ts';
import type { Provider } from '../domain/verification/provider.ts';
import { ProviderHealthBook } from '../domain/verification/provider-health.ts';
import { createProviders } from '../domain/verification/providers/index.ts';
import type { Clock } from '../kernel/clock.ts';
import { deriveKey } from '../kernel/keyed-hash.ts';
import { connectDatabase, type Database } from '../platform/db/client.ts';
import { exchange } from '../platform/http.ts';
import { log } from '../platform/log.ts';
import { type AddressTables, createAddressTables } from './bulk/addresses.ts';
import { serviceClock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import { type ConnectionMemory, createConnectionMemory } from './connections.ts';
import { hasher } from './hasher.ts';
import { CurrentLists } from './list-overlay.ts';
import { LISTS } from './lists.ts';
import { createModelMemory, type ModelMemory } from './model-finder.ts';
import { PolicyMemory } from './policy-memory.ts';

/** What all requests of an isolate share: checked settings, lists, derived keys, settled DNS facts. */
export interface Isolate {
  readonly config: Config;
  readonly now: Clock;
  readonly db: Database;
  readonly current: CurrentLists;
  readonly mailHosts: FactMemory;
  /** When the isolate last told what it has counted. */
  readonly told: { at: number };
  readonly providers: readonly Provider[];
  readonly providerHealth: ProviderHealthBook;
  readonly enrichmentSources: readonly Source[];
  readonly sourceHealth: ProviderHealthBook<SourceId>;
  readonly policies: PolicyMemory;
  readonly models: ModelMemory;
  readonly model: ModelBackend | null;
  readonly modelCircuit: ModelCircuit;
  readonly hashAddress: (organisationId: string, normalised: string) => string;
  readonly hashIdentity: (organisationId: string, canonical: string) => string;
  /** Of ids that a payment processor gives people. */
  readonly hashReference: (organisationId: string, reference: string) => string;
  readonly connections: ConnectionMemory;
  readonly addressTables: AddressTables;
  /** Both under `HASH_SECRET`, which is never rotated. */
  readonly sealKey: () => Uint8Array;
  readonly connectionIdKey: () => Uint8Array;
}

/** Enrichment looks up what is known, which takes less than asking a mail host. */
const LOOK_UP_MS = 1_000;

const configs = new WeakMap<object, Config>();

/** The settings, read once an isolate, which says in the log what is wrong with them. */
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
  const isolate: Isolate = {
    config,
    now,
    db: connectDatabase(config.database),
    current: new CurrentLists(LISTS, env.FACTS, now),
    mailHosts: createFactMemory(),
    told: { at: now() },
    providers: createProviders(config.providers, (url, init) => fetch(url, init)),
    providerHealth: new ProviderHealthBook(),
    enrichmentSources: createSources(config.enrichment, (...question) =>
      exchange((url, init) => fetch(url, init), ...question),
    ),
    sourceHealth: new ProviderHealthBook(LOOK_UP_MS),
    policies: new PolicyMemory(),
    models: createModelMemory(),
    model: createModelBackend(config.model, (url, init) => fetch(url, init), runAi(env)),
    modelCircuit: new ModelCircuit(),
    hashAddress: hasher(config.secrets.hash, 'address'),
    hashIdentity: hasher(config.secrets.hash, 'identity'),
    hashReference: hasher(config.secrets.hash, 'processor'),
    connections: createConnectionMemory(),
    addressTables: createAddressTables(),
    sealKey: () => deriveKey(config.secrets.hash(), 'processor secrets'),
    connectionIdKey: () => deriveKey(config.secrets.hash(), 'connection ids'),
  };
  isolates.set(env, isolate);
  return isolate;
}

/** The Workers AI binding, which is there only where `wrangler.toml` has it. */
const runAi =
  (env: Env): RunAi =>
  async (...call) => {
    const { AI } = env as Env & { readonly AI?: { run: RunAi } };
    if (!AI) throw new Error('there is no AI binding');
    return AI.run(...call);
  };
