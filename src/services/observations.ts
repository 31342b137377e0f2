import type { Address } from '../domain/address/parse.ts';
import {
  FEATURES,
  type ObservationContext,
  type KnownAnswer,
  MEMORY_MS,
  type Observation,
  type ProofOfLife,
} from '../domain/belief/facts.ts';
import { listOfCalls, listOfJob, rowName } from '../domain/belief/names.ts';
import { isHostClass } from '../domain/belief/prior-table.ts';
import { isProvider } from '../domain/belief/provider.ts';
import { proofOf } from '../domain/feedback/outcomes.ts';
import type { TraceRecord } from '../domain/traces/traces.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { askObject, type ObjectDeps } from '../organisation/api.ts';
import type { Database } from '../storage/postgres/client.ts';
import {
  findNewestTraces,
  type NewestTrace,
  type StoredMailReport,
  type TraceWanted,
} from '../storage/postgres/mail-reports.ts';
import type { RememberedTrace } from '../storage/postgres/trace-lists.ts';
import { findTraceAddresses } from '../storage/postgres/traces.ts';
import { findHost, type HostDeps } from './verification/find-host.ts';
import { type HashDeps, hashDomain } from './verification/observe.ts';

/** The fields of a trace that identify its address and observation context. */
export type SeenTrace = Pick<
  TraceRecord,
  'mode' | 'keyId' | 'addressHash' | 'domain' | 'hostClass' | 'bulkJobId' | 'createdAt' | 'observation'
>;

/** A trace's address in the account's history. */
interface TracedAddress {
  readonly addressHash: string;
  readonly context: ObservationContext;
}

/** Null if the address's history takes no part: a test key, a certain finding, an erased address. */
export function contextOfTrace(deps: HashDeps, organisationId: Id<'org'>, trace: SeenTrace): TracedAddress | null {
  const { mode, keyId, addressHash, domain, hostClass, bulkJobId, createdAt, observation } = trace;
  if (mode !== 'live' || addressHash === null || hostClass === null || !isHostClass(hostClass)) return null;
  const purpose = observation?.purpose ?? 'outbound';
  const list = bulkJobId !== null ? listOfJob(bulkJobId) : keyId === null ? null : listOfCalls(keyId, purpose);
  const features = FEATURES.filter((feature) => observation?.features.includes(feature) === true);
  const context = {
    address: rowName(addressHash),
    domain: rowName(hashDomain(deps, organisationId, domain)),
    list,
    at: createdAt,
    host: hostClass,
    features,
    purpose,
  };
  return { addressHash, context };
}

/** The addresses of these traces, by requested id. */
export async function findTracedAddresses(
  deps: HashDeps & { readonly db: Database },
  organisationId: Id<'org'>,
  ids: readonly Id<'vr' | 'dc'>[],
): Promise<ReadonlyMap<string, TracedAddress>> {
  const found = await findTraceAddresses(deps.db, organisationId, ids);
  const traced = [...found].map(([id, trace]) => [id, contextOfTrace(deps, organisationId, trace)] as const);
  return new Map(traced.flatMap(([id, address]) => (address === null ? [] : [[id, address] as const])));
}

/** What a person did, and who reported it. `address` is null if only the hash is known. */
interface Proof {
  readonly addressHash: string;
  readonly address: Address | null;
  readonly proof: ProofOfLife;
}

type ProofDeps = HashDeps &
  HostDeps & { readonly db: Database; readonly objects: ObjectDeps; readonly now: () => number };

const LOOK_UP_MS = 2 * SECOND_MS;

/** Adds a proof of life to its address's history, in the context of its newest trace, else of now. Idempotent. */
export async function learnProof(deps: ProofDeps, organisationId: Id<'org'>, told: Proof): Promise<void> {
  const context = (await contextByTrace(deps, organisationId, told)) ?? (await contextNow(deps, organisationId, told));
  if (context === null) return;
  const observations = [{ context, answers: [], report: null, proof: told.proof }];
  await askObject(deps.objects, organisationId).restoreHistory({ observations });
}

async function contextByTrace(
  deps: ProofDeps,
  organisationId: Id<'org'>,
  { addressHash }: Proof,
): Promise<ObservationContext | null> {
  const now = deps.now();
  const [trace = null] = await findNewestTraces(deps.db, [
    { addressHash, from: now - MEMORY_MS.to, until: now + SECOND_MS },
  ]);
  if (trace === null) return null;
  return (await findTracedAddresses(deps, organisationId, [trace.traceId])).get(trace.traceId)?.context ?? null;
}

async function contextNow(
  deps: ProofDeps,
  organisationId: Id<'org'>,
  { addressHash, address, proof }: Proof,
): Promise<ObservationContext | null> {
  if (address === null) return null;
  const { host, precheck } = await findHost(deps, address, deps.now() + LOOK_UP_MS);
  if (precheck.certain) return null;
  return {
    address: rowName(addressHash),
    domain: rowName(hashDomain(deps, organisationId, address.domain)),
    list: null,
    at: proof.at,
    host,
    features: [],
    purpose: 'signup',
  };
}

const secondOf = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS;

/** The traces that a report may be about. Services give whole seconds: the same second counts as before. */
export function wantedBy({ addressHash, at }: Pick<StoredMailReport, 'addressHash' | 'at'>): TraceWanted {
  const until = secondOf(at) + SECOND_MS;
  return { addressHash, from: until - MEMORY_MS.to, until };
}

/**
 * An opening or click only proves that the message arrived: any other report counts more, in any order. It may be of
 * the trace's own second.
 */
export const timeOf = ({ means, at }: Pick<StoredMailReport, 'means' | 'at'>, trace: NewestTrace | null): number =>
  means === 'seen' && trace !== null ? secondOf(trace.createdAt) - 1 : at;

/**
 * Observations in reports: in the context of each address's trace, else of the report. One report a trace counts, the
 * last; an unsent or untraced one is a report of its own.
 */
export async function observationsOfReports(
  deps: HashDeps & { readonly db: Database },
  organisationId: Id<'org'>,
  reports: readonly StoredMailReport[],
  traces: readonly (NewestTrace | null)[],
): Promise<Observation[]> {
  const ids = traces.flatMap((trace) => trace?.traceId ?? []);
  const traced = ids.length === 0 ? null : await findTracedAddresses(deps, organisationId, [...new Set(ids)]);
  return reports.flatMap((report, place): Observation[] => {
    const trace = traces[place] ?? null;
    const context = trace === null ? contextOfReport(report) : (traced?.get(trace.traceId)?.context ?? null);
    if (context === null || report.class === null) return [];
    const of = trace === null || report.means === 'suppressed' ? report.id : trace.traceId;
    const said = { class: report.class, at: timeOf(report, trace), of, source: report.source };
    return [{ context, answers: [], report: said, proof: null }];
  });
}

/**
 * Null if its domain was not looked up, or takes no mail. A connection's messages are a list of their own, as an
 * import's are.
 */
function contextOfReport({ addressHash, domain, hostClass, source, at }: StoredMailReport): ObservationContext | null {
  if (domain === null || hostClass === null || !isHostClass(hostClass)) return null;
  const purpose = 'outbound';
  return {
    address: rowName(addressHash),
    domain,
    list: listOfCalls(source, purpose),
    at,
    host: hostClass,
    features: [],
    purpose,
  };
}

/** Observations in a trace and its reports, one by one as they came. */
export function observationsOfTrace(deps: HashDeps, organisationId: Id<'org'>, trace: RememberedTrace): Observation[] {
  const traced = contextOfTrace(deps, organisationId, trace);
  if (traced === null) return [];
  const { context } = traced;
  const nothing: Observation = { context, answers: [], report: null, proof: null };
  const answers = (trace.observation?.answers ?? []).filter((said): said is KnownAnswer => isProvider(said.provider));
  const proofs = trace.events.flatMap(({ event, at }) => {
    const kind = proofOf(event);
    return kind === null ? [] : [{ class: kind, at }];
  });
  return [
    ...(answers.length === 0 ? [] : [{ ...nothing, answers }]),
    ...trace.reports.map((report) => ({ ...nothing, report })),
    ...proofs.map((proof) => ({ ...nothing, proof })),
  ];
}
