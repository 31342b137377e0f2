import { faker } from '@faker-js/faker';
import { type AcceptsAllFlag, flagInForce } from '../../src/domain/belief/accepts-all.ts';
import { type AddressFacts, type DeliveryReport, withObservation } from '../../src/domain/belief/facts.ts';
import { rowName } from '../../src/domain/belief/names.ts';
import type { Provider, ProviderId } from '../../src/domain/belief/provider.ts';
import type { EnrichmentVendor } from '../../src/domain/policy/enrichment.ts';
import { ProviderHealthTracker } from '../../src/domain/router/provider-health.ts';
import { NO_RULES } from '../../src/domain/rules/rules.ts';
import { ModelCircuit } from '../../src/domain/screening/model.ts';
import { NO_HISTORY } from '../../src/domain/answer/account.ts';
import { err, ok } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { decide } from '../../src/services/policy/decide.ts';
import { screen } from '../../src/services/screening/screenings.ts';
import { PolicyMemory } from '../../src/storage/policy-memory.ts';
import type { Exchange } from '../../src/services/verb.ts';
import { verify } from '../../src/services/verification/verify.ts';
import type { FactStore } from '../../src/storage/kv.ts';
import type { OutboxRow } from '../../src/storage/postgres/projection.ts';
import { authorization, openTo, runVerb, useCaseDeps } from '../bench/use-case.ts';
import type { DemoAccount, DemoKey } from './account.ts';
import { truthOf, verdictOf } from './truth.ts';
import type { DemoPerson, World } from './world.ts';

/** The vendors of the demo: list price of one answer in micros, median latency. */
const PROVIDERS: readonly { readonly id: ProviderId; readonly priceMicros: number; readonly ms: number }[] = [
  { id: 'zerobounce', priceMicros: 6_500, ms: 900 },
  { id: 'bouncer', priceMicros: 5_000, ms: 1_000 },
  { id: 'emailable', priceMicros: 5_000, ms: 700 },
];
const FAILURE_RATE = 0.01;
const COMPANY_MICROS = 2_000;

export interface DemoCalls {
  /** Each makes one call at a time, and returns the row that it would have left in the outbox. */
  decide(at: number, person: DemoPerson): Promise<OutboxRow>;
  verify(at: number, person: DemoPerson): Promise<OutboxRow>;
  screen(at: number, person: DemoPerson): Promise<OutboxRow>;
  /** A delivery report, which the next call about the address includes. */
  learn(report: DeliveryReport, addressHash: string, person: DemoPerson): void;
}

interface CallsInput {
  readonly world: World;
  readonly account: DemoAccount;
  readonly hashAddress: (organisationId: string, text: string) => string;
  readonly hashIdentity: (organisationId: string, text: string) => string;
  /** While true, no vendor answers. */
  readonly isOutage: (at: number) => boolean;
}

/** Calls of the service's own verbs, with the demo's people, vendors and time. */
export function openCalls({ world, account, hashAddress, hashIdentity, isOutage }: CallsInput): DemoCalls {
  const organisation = account.settings;
  let now = 0;
  let person: DemoPerson | null = null;
  const histories = new Map<string, AddressFacts>();
  const facts = memoryStore();
  const flags = new Map<string, AcceptsAllFlag>();

  const providers = PROVIDERS.map(({ id, priceMicros, ms }): Provider => ({
    id,
    priceMicros,
    async ask(email) {
      now += Math.round(ms * Math.exp(faker.number.float({ min: -0.8, max: 0.8 })));
      if (person === null) throw new Error('no person is asked about');
      if (isOutage(now) || faker.number.float() < FAILURE_RATE)
        return err({ kind: 'server_error', retryable: true, costMicros: 0 });
      const truth = truthOf(person);
      const verdict = verdictOf(id, email, new Date(now).toISOString().slice(0, 7), person.domain.cells, truth);
      return ok({
        verdict,
        reason: null,
        catchAll: verdict === 'catch_all' ? true : null,
        role: null,
        disposable: null,
        mailboxFull: null,
        warning: null,
        subStatus: null,
        suggestedDomain: null,
        costMicros: priceMicros,
      });
    },
  }));
  const companies: EnrichmentVendor = {
    id: 'pdl',
    prices: { company: COMPANY_MICROS, person: COMPANY_MICROS, both: COMPANY_MICROS },
    async ask({ domain }) {
      now += 240;
      const company = world.companyOf(domain);
      return ok({ company, person: null, costMicros: company === null ? 0 : COMPANY_MICROS });
    },
  };
  const clock = () => now;
  const counters = { add: () => undefined };
  const deps = {
    ...useCaseDeps(() => [], clock),
    findMailHosts: async (domain: string) => world.hostsOf(domain),
    hashAddress,
    hashIdentity,
    providers,
    domainFacts: {
      acceptsAll: async (domain: string) => flagInForce(flags.get(domain) ?? null, now),
      putAcceptsAll: (domain: string, flag: AcceptsAllFlag) => void flags.set(domain, flag),
    },
    policies: new PolicyMemory(2 ** 20),
    enrichmentVendors: [companies],
    enrichmentHealth: new ProviderHealthTracker<EnrichmentVendor['id']>(),
    onEnrichment: () => undefined,
    companies: facts,
    model: { backend: null, circuit: new ModelCircuit(), cache: facts, counters, now: clock, defer: () => undefined },
  };

  /** A request at a time, whose record is handed over. */
  const exchange = (
    at: number,
    prefix: 'vr' | 'dc' | 'sc',
    meter: Exchange['meter'],
    key: DemoKey,
    keep: (row: OutboxRow) => void,
  ): Exchange => ({
    organisationId: organisation.id,
    mode: 'live',
    meter,
    startedAt: at,
    traceId: newId(prefix, at),
    ...openTo(
      async (rules) => {
        const address = histories.get(rowName(rules?.addressHash ?? '')) ?? null;
        return authorization({
          organisation,
          key,
          rules: NO_RULES,
          history: { ...NO_HISTORY, address: address && { ...address, contribution: null } },
          earlier: null,
        });
      },
      { ...account.policyAt(at), enrichmentLeftMicros: organisation.limits.enrichmentBudgetMicros },
    ),
    endAnalysis: () => undefined,
    reserveEnrichment: async () => 'granted',
    reserveProviders: async () => 'granted',
    commit: async ({ trace, observation }) => {
      if (observation) {
        const { address } = observation.context;
        histories.set(address, withObservation(histories.get(address) ?? null, observation, at));
      }
      keep({ seq: 0, kind: trace.kind, id: trace.id, record: trace.record, at });
      return null;
    },
    defer: () => undefined,
  });

  /** The row of one call. */
  async function rowOf(
    at: number,
    about: DemoPerson,
    call: (keep: (row: OutboxRow) => void) => Promise<unknown>,
  ): Promise<OutboxRow> {
    now = at;
    person = about;
    let kept: OutboxRow | null = null;
    await call((row) => {
      kept = row;
    });
    if (kept === null) throw new Error('the call left nothing');
    return kept;
  }
  const { signup, crm } = account.keys;

  return {
    learn(report, addressHash, { domain: { cells: host }, features, purpose }) {
      const address = rowName(addressHash);
      const context = { address, domain: '', list: null, at: report.at, host, features, purpose };
      const observation = { context, answers: [], report, proof: null };
      histories.set(address, withObservation(histories.get(address) ?? null, observation, report.at));
    },
    decide: (at, about) =>
      rowOf(at, about, (keep) =>
        runVerb(deps, decide, exchange(at, 'dc', 'decide', signup, keep), {
          body: {
            email: about.email,
            name: about.name,
            context: { purpose: 'signup' },
            attributes: { plan: about.plan, source: about.source },
          },
        }),
      ),
    verify: (at, about) =>
      rowOf(at, about, (keep) =>
        runVerb(deps, verify, exchange(at, 'vr', 'verify', crm, keep), {
          body: { email: about.email, context: { purpose: 'outbound' } },
        }),
      ),
    screen: (at, about) =>
      rowOf(at, about, (keep) =>
        runVerb(deps, screen, exchange(at, 'sc', 'screen', signup, keep), {
          body: { email: about.email, name: about.name },
        }),
      ),
  };
}

function memoryStore(): FactStore {
  const kept = new Map<string, string>();
  return {
    get: async (key) => kept.get(key) ?? null,
    put: async (key, value) => void kept.set(key, value),
  };
}
