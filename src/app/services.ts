import type { Identity, Usage } from '../contract/account.ts';
import type { CheckRequest, CheckResult } from '../contract/check.ts';
import type { DecideRequest, DecisionResult } from '../contract/decision.ts';
import type { ScreeningList, ScreeningQuery, ScreeningResult, ScreenRequest } from '../contract/screening.ts';
import type { Trace, TraceList, TraceQuery } from '../contract/traces.ts';
import type { Verification, VerifyRequest } from '../contract/verification.ts';
import { isBootstrapToken, type KeyClaims, readKey } from '../domain/access/index.ts';
import type { BulkPort } from '../domain/bulk/port.ts';
import { check } from '../domain/check/check.ts';
import { createDohClient, type DohClientOptions } from '../domain/dns/adapters/doh.ts';
import { createMailHostsFinder } from '../domain/dns/facts.ts';
import { resolveMailHosts } from '../domain/dns/resolve.ts';
import type { ObjectDeps, OrganisationStub } from '../domain/organisation/client.ts';
import type { Operation } from '../domain/organisation/index.ts';
import { type DecideDeps, decide } from '../domain/policy/decide.ts';
import { type ScreenDeps, screen } from '../domain/screening/screen.ts';
import type { VerifyDeps } from '../domain/verification/examine.ts';
import { verify } from '../domain/verification/verify.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { analyticsCounters } from '../platform/counters.ts';
import { readIdentity, readUsage } from './account.ts';
import { bulkServices } from './bulk/jobs.ts';
import { runRange } from './bulk/run-range.ts';
import { insightServices } from './insights.ts';
import { isolateOf } from './isolate.ts';
import { suggestDomain } from './lists.ts';
import { type OpenOperation, type OperationInput, openOperation } from './operation.ts';
import { operatorServices } from './operator.ts';
import { policyServices } from './policies.ts';
import { policyFinder } from './policy-finder.ts';
import { ruleListServices } from './rule-lists.ts';
import { listScreenings } from './screenings.ts';
import { readStatus } from './status.ts';
import { listTraces, readTrace } from './traces.ts';
import { wakeServices } from './wake.ts';

/** Every use case, ready to call: the same for each door (HTTP, queue, cron, MCP). */
export interface Services {
  readonly version: string;
  readonly now: Clock;
  readKey(key: string): KeyClaims | null;
  isBootstrapToken(token: string): boolean;
  openOperation(input: Omit<OperationInput, 'defer'>): OpenOperation;
  verify(op: Operation, request: VerifyRequest): Promise<Verification>;
  check(op: Operation, request: CheckRequest): Promise<CheckResult>;
  screen(op: Operation, request: ScreenRequest): Promise<ScreeningResult>;
  listScreenings(op: Operation, query: ScreeningQuery): Promise<ScreeningList>;
  listTraces(op: Operation, query: TraceQuery): Promise<TraceList>;
  readTrace(op: Operation, id: string): Promise<{ trace: Trace }>;
  readIdentity(op: Operation): Promise<Identity>;
  readUsage(op: Operation): Promise<Usage>;
  readonly bulk: ReturnType<typeof bulkServices>;
  decide(op: Operation, request: DecideRequest): Promise<DecisionResult>;
  readonly insights: ReturnType<typeof insightServices>;
  readonly policies: ReturnType<typeof policyServices>;
  readonly rules: ReturnType<typeof ruleListServices>;
  readonly operator: ReturnType<typeof operatorServices> & { readStatus(): ReturnType<typeof readStatus> };
  readonly wake: ReturnType<typeof wakeServices>;
}

/** `defer`: lets work go on behind the answer (`waitUntil`). */
export function openServices(env: Env, defer: (work: Promise<unknown>) => void): Services {
  const isolate = isolateOf(env);
  const { config, now, db } = isolate;
  const counters = analyticsCounters(env.COUNTERS);
  const objects: ObjectDeps<ObjectStub> = {
    stub: (id) => organisationStub(env, config.primaryRegion, id),
    now,
    counters,
  };
  const onQuery: NonNullable<DohClientOptions['onQuery']> = (outcome, ms) => counters.add('dns_ms', ms, outcome);
  const askDns = createDohClient({ urls: config.dohUrls, fetch: (url, init) => fetch(url, init), now, onQuery });
  const deps: VerifyDeps & ScreenDeps & DecideDeps = {
    suggestDomain,
    model: { backend: isolate.model, circuit: isolate.modelCircuit, cache: env.FACTS, counters, now, defer },
    lists: isolate.lists,
    now,
    hashAddress: isolate.hashAddress,
    hashIdentity: isolate.hashIdentity,
    providers: isolate.providers,
    health: isolate.providerHealth,
    counters,
    evidence: env.FACTS,
    sources: isolate.enrichmentSources,
    companies: env.FACTS,
    findPolicy: policyFinder(objects, isolate.policies),
    findMailHosts: createMailHostsFinder({
      resolve: (domain) => resolveMailHosts(askDns, domain),
      kv: env.FACTS,
      memory: isolate.mailHosts,
      now,
      defer,
    }),
  };
  const traces = { db, objects };
  const rules = ruleListServices({ ...traces, lists: isolate.lists, hashAddress: isolate.hashAddress });
  return {
    version: config.version,
    now,
    readKey: (key) => readKey(config.keySecrets, key),
    isBootstrapToken: (token) => isBootstrapToken(config.serviceSecret, token, now()),
    openOperation: (input) => openOperation(objects, { ...input, defer }),
    verify: (op, request) => verify(deps, op, request),
    check: (op, request) => check(deps, op, request),
    screen: (op, request) => screen(deps, op, request),
    listScreenings: (op, query) => listScreenings(traces, op, query),
    listTraces: (op, query) => listTraces(traces, op, query),
    readTrace: (op, id) => readTrace(traces, op, id),
    readIdentity,
    readUsage: (op) => readUsage(objects, op),
    bulk: bulkServices({ objects, rules, verify: deps, blobs: env.BULK_FILES, evidence: env.FACTS }),
    decide: (op, request) => decide(deps, op, request),
    insights: insightServices(traces),
    policies: policyServices(traces),
    rules,
    operator: {
      ...operatorServices({
        db,
        objects,
        config,
        hashAddress: isolate.hashAddress,
        facts: env.FACTS,
        blobs: env.BULK_FILES,
      }),
      readStatus: () => readStatus({ db, objects, startedAt: isolate.startedAt }),
    },
    wake: wakeServices({
      ...{ db, objects, counters, queue: env.WAKE_QUEUE, jobs: env.BULK_QUEUE },
      runRange: (organisation, job) => runRange({ verify: deps, objects, blobs: env.BULK_FILES }, organisation, job),
    }),
  };
}

type ObjectStub = OrganisationStub & BulkPort;

/** One object an organisation, beside the database. The hint counts only where the first call creates the object. */
function organisationStub(env: Env, region: string | null, id: Id<'org'>): ObjectStub {
  const hint = region === null ? {} : { locationHint: region as DurableObjectLocationHint };
  // The runtime's own type of a stub can't say what a generic method answers.
  return env.ORGANISATION.getByName(id, hint) as OrganisationStub as ObjectStub;
}
