import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { authorization, openTo, runVerb } from '../../scripts/bench/use-case.ts';
import { classifyMailHosts, matchName, noneSuspected, suggestDomain } from '../../scripts/lists/shipped.ts';
import { publicZone, testZone } from '../../scripts/stack/dns-zones.ts';
import type { KeyIdentity } from '../../src/domain/access/keys.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import type { ResolvedMailHosts } from '../../src/domain/dns/resolve.ts';
import { createLists } from '../../src/domain/lists/lists.ts';
import { micros } from '../../src/domain/metering/usage.ts';
import { ProviderHealthTracker } from '../../src/domain/router/provider-health.ts';
import { NO_RULES } from '../../src/domain/rules/rules.ts';
import { pause } from '../../src/kernel/clock.ts';
import { deriveKey, hmacHex } from '../../src/kernel/crypto.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Exchange } from '../../src/services/verb.ts';
import { createMailHostsFinder } from '../../src/services/verification/find-mail-hosts.ts';
import type { VerifyDeps } from '../../src/services/verification/judge.ts';
import { verify } from '../../src/services/verification/verify.ts';
import { createDomainCache, DomainFacts } from '../../src/storage/domain-facts.ts';
import { type FactStore, InvocationStore } from '../../src/storage/kv.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { inProcessProviders } from '../../test/support/vendors/in-process.ts';
import { type VendorAccounts, VendorSimulator } from '../../test/support/vendors/simulator.ts';
import { VirtualTime } from '../../test/support/virtual-time.ts';
import { addressAt } from '../population/addresses.ts';
import { emailOf } from '../population/email-addresses.ts';
import { behaviourIn } from '../population/outages.ts';
import { drawPopulation, NEAR } from '../population/population.ts';
import { drawLimits } from './requests.ts';
import type { Run, ServedRequest } from './served-request.ts';

/** A request arrives about this long after the one before it: vendors' outages come and go many times in a thousand requests. */
const GAP_MS = 600;
const PERIOD_MS = 60_000;

const DATA = join(import.meta.dirname, '../../src/domain/lists/data');
const LISTS = createLists({
  domains: readFileSync(join(DATA, 'domains.bin')),
  names: readFileSync(join(DATA, 'names.bin')),
});

/**
 * Requests to the verification, from the parsed body on, in virtual time, with adapters before a population's vendors.
 * `charged`: the vendors' price, where it differs from the configured one.
 */
export function simulate(
  seed: number,
  requests: number,
  accounts: VendorAccounts,
  charged: VendorAccounts = accounts,
): Promise<Run> {
  const time = new VirtualTime();
  return time.run(async () => {
    const population = drawPopulation(MODEL, NEAR, seed);
    const simulator = new VendorSimulator(charged, behaviourIn(population, { periodMs: PERIOD_MS, pace: 1 }));
    // Deferred work isn't awaited; some of it waits for a store that never answers.
    const defer = (): void => undefined;
    const draws = seededRandom(seedOf(seed, 10));
    const kv = slowStore(draws);
    const key = deriveKey(new Uint8Array(32), 'simulation');
    const domains = createDomainCache();
    const deps: Omit<VerifyDeps, 'domainFacts' | 'findMailHosts'> = {
      lists: LISTS,
      classifyMailHosts,
      suggestDomain,
      matchName,
      backEnds: noneSuspected(LISTS),
      now: time.now,
      counters: { add: () => undefined },
      freshLists: async () => undefined,
      hashAddress: (_, text) => hmacHex(key, text),
      earlierHashes: () => [],
      hashIdentity: (_, text) => hmacHex(key, text),
      providers: inProcessProviders(simulator, accounts, time.now),
      health: new ProviderHealthTracker(),
    };

    const send = async (index: number): Promise<ServedRequest> => {
      await pause(index * GAP_MS * draws.between(0.9, 1.1));
      const { context, maxCostUsd, maxLatencyMs } = drawLimits(seed, index, accounts);
      const email = emailOf(addressAt(population, index));
      const startedAt = time.now();
      const op = operation(startedAt, draws, defer);
      const store = new InvocationStore(kv, defer);
      const facts = new DomainFacts(store, domains, time.now);
      const findMailHosts = createMailHostsFinder({
        facts,
        now: time.now,
        defer,
        resolve: (domain) => resolve(domain, draws),
      });
      const reached = { ...deps, domainFacts: facts, findMailHosts };
      const answer = await runVerb(reached, verify, op, { body: { email, context } });
      store.end();
      const wallMs = time.now() - startedAt;
      return {
        maxCostUsd,
        maxLatencyMs,
        wallMs,
        latencyMs: answer.latency_ms,
        claimedMicros: micros(answer.cost_usd),
        owedMicros: op.owedMicros(),
        billedMicros: simulator.billedFor(email),
        degraded: answer.degraded === true,
      };
    };
    const served = await Promise.all(Array.from({ length: requests }, (_, index) => send(index)));
    return { served, calls: simulator.ledger.length, bareMs: [] };
  });
}

/** Waits that never end, of a store or a resolver in trouble, one in so many. */
const HANG_EACH = 60;
const hangs = (draws: SeededRandom): boolean => draws.uniform() < 1 / HANG_EACH;
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** KV: a few milliseconds as a rule. */
function slowStore(draws: SeededRandom): FactStore {
  const stored = new Map<string, string>();
  return {
    async get(name) {
      if (hangs(draws)) return never();
      await pause(5 * Math.exp(draws.normal()));
      return stored.get(name) ?? null;
    },
    async put(name, value) {
      await pause(20 * Math.exp(draws.normal()));
      stored.set(name, value);
    },
  };
}

const ZONES = [testZone, publicZone];

/** DNS, from the local stack's zones. */
async function resolve(domain: string, draws: SeededRandom): Promise<ResolvedMailHosts> {
  if (hangs(draws)) return never();
  await pause(25 * Math.exp(draws.normal()));
  const exchanges = (name: string): string[] =>
    ZONES.flatMap((zone) => zone(name)?.records ?? []).flatMap((record) => {
      if (record.type === 'CNAME') return exchanges(record.data);
      return record.type === 'MX' ? [record.exchange] : [];
    });
  return { mailHosts: { kind: 'found', hosts: exchanges(domain), implicit: false }, ttlS: 300 };
}

/** The fields of a trace's record that are read here. */
const Record = z.object({
  detail: z.object({ providerFailures: z.array(z.object({ may_cost_usd: z.number() })) }),
});

/** An operation whose object answers in some milliseconds, as it does beside the Worker. `owedMicros`: by its trace. */
function operation(startedAt: number, draws: SeededRandom, defer: Exchange['defer']) {
  const organisation = { id: newId('org', startedAt), accountId: newId('acct', startedAt), name: 'simulation' };
  const object = (): Promise<void> => pause(draws.between(1, 12));
  const key: KeyIdentity = {
    id: newId('key', startedAt),
    name: 'simulation',
    operator: false,
    userId: null,
    role: 'member' as const,
    mode: 'live' as const,
    origin: 'auto' as const,
  };
  let owedMicros = Number.NaN;
  const exchange: Exchange = {
    organisationId: organisation.id,
    mode: 'live',
    meter: 'verify',
    startedAt,
    traceId: newId('vr', startedAt),
    defer,
    ...openTo(async () => {
      await object();
      return authorization({
        organisation,
        rules: NO_RULES,
        earlier: null,
        key,
      });
    }),
    endAnalysis: () => undefined,
    reserveEnrichment: async () => 'refused',
    reserveProviders: async () => 'refused',
    async commit({ trace }) {
      const { detail } = Record.parse(JSON.parse(trace.record));
      owedMicros = detail.providerFailures.reduce((sum, { may_cost_usd: usd }) => sum + micros(usd), 0);
      await object();
      return null;
    },
  };
  return { ...exchange, owedMicros: () => owedMicros };
}
