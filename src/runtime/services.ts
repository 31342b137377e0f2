import type { Health, Identity, Usage } from '../contract/account.ts';
import type { CalibrationReport } from '../contract/calibration.ts';
import type { CheckRequest, CheckResult } from '../contract/check.ts';
import type { DecideRequest, DecisionResult } from '../contract/decision.ts';
import type { EventsReceipt, EventsRequest, OutcomeReceipt, OutcomeRequest } from '../contract/feedback.ts';
import type { ScreeningList, ScreeningQuery, ScreeningResult, ScreenRequest } from '../contract/screening.ts';
import type { Trace, TraceList, TraceQuery } from '../contract/traces.ts';
import type { Verification, VerifyRequest } from '../contract/verification.ts';
import { isBootstrapToken } from '../domain/access/bootstrap-token.ts';
import { type KeyClaims, readKey } from '../domain/access/key-format.ts';
import { resolveMailHosts } from '../domain/dns/resolve.ts';
import type { CounterTotals } from '../domain/metering/counter-totals.ts';
import { createDohClient, type DohClientOptions } from '../integrations/dns-over-https/client.ts';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import {
  type BulkPort,
  callObject,
  type DeadLetter,
  type ObjectDeps,
  type OperationsPort,
  type OrganisationStub,
} from '../organisation/api.ts';
import { readIdentity, readUsage } from '../services/access/account.ts';
import { bulkServices } from '../services/bulk/jobs.ts';
import { runRange } from '../services/bulk/run-range.ts';
import { wakeServices } from '../services/bulk/wake.ts';
import { readCalibration } from '../services/calibration/calibration.ts';
import { modelFinder } from '../services/calibration/model-finder.ts';
import { connectionServices } from '../services/feedback/connections.ts';
import { recordEvents, reportOutcome } from '../services/feedback/feedback.ts';
import { type OpenOperation, type OperationInput, openOperation } from '../services/frame.ts';
import { insightServices } from '../services/insights/insights.ts';
import { acceptDisposableSource } from '../services/nightly/disposable-lists.ts';
import { type NightlyDeps, nightlyServices } from '../services/nightly/run.ts';
import type { Operation } from '../services/operation.ts';
import { operatorServices } from '../services/operator/operator.ts';
import { askOperations, OPERATORS_ID } from '../services/operator/operators.ts';
import { readStatus } from '../services/operator/status.ts';
import { type DecideDeps, decide } from '../services/policy/decide.ts';
import { countEnrichment } from '../services/policy/enrichment-calls.ts';
import { policyServices } from '../services/policy/policies.ts';
import { policyFinder } from '../services/policy/policy-finder.ts';
import { ruleListServices } from '../services/rules/rule-lists.ts';
import { type ScreenDeps, screen } from '../services/screening/screen.ts';
import { listScreenings } from '../services/screening/screenings.ts';
import { listTraces, readTrace } from '../services/traces/traces.ts';
import type { VerifyDeps } from '../services/verification/assess.ts';
import { check } from '../services/verification/check.ts';
import { createMailHostsFinder } from '../services/verification/find-mail-hosts.ts';
import { verify } from '../services/verification/verify.ts';
import { withFlagMemory } from '../storage/flag-memory.ts';
import { bindingsOf } from './bindings.ts';
import { analyticsCounters, tellCounters } from './counters.ts';
import { isolateOf } from './isolate.ts';
import { classifyMailHosts, LISTS, matchName, suggestDomain } from './lists.ts';

/** Every use case, ready to call: the same for each door (HTTP, queue, cron, MCP). */
export interface Services {
  readonly now: Clock;
  readHealth(): Health;
  readKey(key: string): KeyClaims | null;
  isBootstrapToken(token: string): boolean;
  openOperation(input: Omit<OperationInput, 'defer' | 'beside'>): OpenOperation;
  verify(op: Operation, request: VerifyRequest): Promise<Verification>;
  check(op: Operation, request: CheckRequest): Promise<CheckResult>;
  screen(op: Operation, request: ScreenRequest): Promise<ScreeningResult>;
  listScreenings(op: Operation, query: ScreeningQuery): Promise<ScreeningList>;
  reportOutcome(op: Operation, request: OutcomeRequest): Promise<OutcomeReceipt>;
  recordEvents(op: OpenOperation, request: EventsRequest): Promise<EventsReceipt>;
  listTraces(op: Operation, query: TraceQuery): Promise<TraceList>;
  readTrace(op: Operation, id: string): Promise<{ trace: Trace }>;
  readCalibration(op: Operation): Promise<CalibrationReport>;
  readIdentity(op: Operation): Promise<Identity>;
  readUsage(op: Operation): Promise<Usage>;
  readonly bulk: ReturnType<typeof bulkServices>;
  decide(op: Operation, request: DecideRequest): Promise<DecisionResult>;
  readonly insights: ReturnType<typeof insightServices>;
  readonly policies: ReturnType<typeof policyServices>;
  readonly connections: ReturnType<typeof connectionServices>;
  readonly rules: ReturnType<typeof ruleListServices>;
  readonly operator: ReturnType<typeof operatorServices> & {
    acceptSource(source: string): ReturnType<typeof acceptDisposableSource>;
    readStatus(): ReturnType<typeof readStatus>;
  };
  readonly wake: ReturnType<typeof wakeServices>;
  readonly nightly: ReturnType<typeof nightlyServices>;
  recordDeadLetters(letters: readonly DeadLetter[]): Promise<void>;
}

/** So often an isolate tells what it has counted: one row, however much that is. */
const TELL_EVERY_MS = MINUTE_MS;

/** `defer`: lets work go on behind the answer (`waitUntil`). */
export function openServices(env: Env, defer: (work: Promise<unknown>) => void): Services {
  const isolate = isolateOf(env);
  const { config, now, db } = isolate;
  const bindings = bindingsOf(env);
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
    matchName,
    classifyMailHosts,
    model: { backend: isolate.model, circuit: isolate.modelCircuit, cache: bindings.FACTS, counters, now, defer },
    lists: isolate.current.lists,
    now,
    hashAddress: isolate.hashAddress,
    hashIdentity: isolate.hashIdentity,
    providers: isolate.providers,
    health: isolate.providerHealth,
    counters,
    evidence: withFlagMemory(bindings.FACTS, isolate.acceptsAll),
    sources: isolate.enrichmentSources,
    sourceHealth: isolate.sourceHealth,
    onEnrichment: countEnrichment(counters),
    companies: bindings.FACTS,
    ...policyFinder(objects, isolate.policies),
    findModel: modelFinder({ db, kv: bindings.FACTS, memory: isolate.models, now, defer }),
    findMailHosts: createMailHostsFinder({
      resolve: (domain) => resolveMailHosts(askDns, domain),
      kv: bindings.FACTS,
      memory: isolate.mailHosts,
      now,
      defer,
    }),
  };
  const addCounters = (counted: CounterTotals) =>
    callObject(objects, OPERATORS_ID, 'addCounters', (stub) => stub.addCounters(counted));
  if (now() - isolate.told.at >= TELL_EVERY_MS) {
    isolate.told.at = now();
    defer(tellCounters(addCounters));
  }
  /** Without sources there is no overlay to ask for. */
  const freshLists = async (deadlineMs?: number) =>
    config.disposableSourceUrls?.length === 0 ? undefined : isolate.current.refresh(defer, deadlineMs);
  const traces = { db, objects };
  const lists: NightlyDeps['lists'] = {
    bundled: LISTS,
    urls: config.disposableSourceUrls,
    fetch: (url, init) => fetch(url, init),
    publish: (overlay) => isolate.current.publish(overlay),
  };
  const rules = ruleListServices({ ...traces, lists: isolate.current.lists, hashAddress: isolate.hashAddress });
  return {
    now,
    readHealth: () => ({
      status: config.faults.some(({ required }) => required) ? 'misconfigured' : 'ok',
      version: config.version,
    }),
    readKey: (key) => readKey(config.secrets.keys(), key),
    isBootstrapToken: (token) => isBootstrapToken(config.secrets.service(), token, now()),
    openOperation: (input) => openOperation(objects, { ...input, defer, beside: freshLists }),
    verify: (op, request) => verify(deps, op, request),
    check: (op, request) => check(deps, op, request),
    screen: (op, request) => screen(deps, op, request),
    listScreenings: (op, query) => listScreenings(traces, op, query),
    reportOutcome: (op, request) => reportOutcome(traces, op, request),
    recordEvents,
    listTraces: (op, query) => listTraces(traces, op, query),
    readTrace: (op, id) => readTrace(traces, op, id),
    readCalibration: (op) => readCalibration({ db }, op),
    readIdentity,
    readUsage: (op) => readUsage(objects, op),
    bulk: bulkServices({ objects, rules, checks: deps, blobs: bindings.BULK_FILES, evidence: bindings.FACTS }),
    decide: (op, request) => decide(deps, op, request),
    insights: insightServices(traces),
    policies: policyServices(traces),
    connections: connectionServices({
      ...{ db, objects, now, publicUrl: config.publicUrl, memory: isolate.connections },
      ...{ sealKey: isolate.sealKey, idKey: isolate.connectionIdKey },
      ...{ hashAddress: isolate.hashAddress, hashReference: isolate.hashReference },
    }),
    rules,
    operator: {
      ...operatorServices({
        db,
        objects,
        keySecrets: config.secrets.keys,
        hashAddress: isolate.hashAddress,
        facts: bindings.FACTS,
        blobs: bindings.BULK_FILES,
      }),
      acceptSource: (source) => acceptDisposableSource({ ...lists, db }, source, now),
      readStatus: () =>
        readStatus({ db, objects, faults: [...config.faults], tellCounters: () => tellCounters(addCounters) }),
    },
    recordDeadLetters: (letters) => askOperations(objects, 'addDeadLetters', (stub) => stub.addDeadLetters(letters)),
    wake: wakeServices({
      ...{ db, objects, counters, queue: bindings.WAKE_QUEUE, jobs: bindings.BULK_QUEUE },
      async runRange(organisation, job) {
        await freshLists();
        const { addressTables } = isolate;
        return runRange({ checks: deps, objects, blobs: bindings.BULK_FILES, addressTables }, organisation, job);
      },
    }),
    nightly: nightlyServices({
      ...{ db, objects, counters, kv: bindings.FACTS, queue: bindings.NIGHTLY_QUEUE, blobs: bindings.BULK_FILES },
      lists,
    }),
  };
}

type ObjectStub = OrganisationStub & BulkPort & OperationsPort;

/** One object an organisation, beside the database. The hint counts only where the first call creates the object. */
function organisationStub(env: Env, region: string | null, id: Id<'org'>): ObjectStub {
  const hint = region === null ? {} : { locationHint: region as DurableObjectLocationHint };
  // The runtime's own type of a stub can't say what a generic method answers.
  return env.ORGANISATION.getByName(id, hint) as OrganisationStub as ObjectStub;
}
