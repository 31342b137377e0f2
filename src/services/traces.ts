import { ROUTES } from '../contract/routes.ts';
import type { LabelledTraceRow, StoredPolicyDecision, TraceQuery } from '../contract/traces.ts';
import { type KeyIdentity, writtenBy } from '../domain/access/keys.ts';
import { type OutcomeRecord, reportedOutcome } from '../domain/feedback/outcomes.ts';
import { evidenceOf } from '../domain/answer/replay.ts';
import { decidedBy, maySeeTrace, traceBody, traceRow, type TraceRecord } from '../domain/traces/traces.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { DependencyError, DomainError } from '../kernel/errors.ts';
import { type Id, parseId, siblingId } from '../kernel/ids.ts';
import { callObject, type Flushed, type ObjectDeps, objectError } from '../organisation/api.ts';
import type { Database } from '../storage/postgres/client.ts';
import { findOutcome } from '../storage/postgres/feedback.ts';
import * as lists from '../storage/postgres/trace-lists.ts';
import * as store from '../storage/postgres/traces.ts';
import { findTrace } from '../storage/postgres/traces.ts';
import type { Caller } from './caller.ts';
import { pageOf, readCursor, requireAddress } from './request-values.ts';
import { type Context, verb } from './verb.ts';

/** Newest first. A key that may not see the whole organisation sees its own rows only. */
export const listTraces = verb({
  route: ROUTES.traces,
  parse: ({ query }) => ({ query, before: readCursor(query.cursor, 'vr', 'dc') }),
  run: (context, { query, before }) => list(context, query, before, null),
});

/** The traces of an address, which is in the body and never in a URL. */
export const searchTraces = verb({
  route: ROUTES.searchTraces,
  parse: ({ body }, caller, deps) => ({
    query: body,
    before: readCursor(body.cursor, 'vr', 'dc'),
    addressHash: deps.hashAddress(caller.organisationId, requireAddress(body.email).normalised),
  }),
  run: (context, { query, before, addressHash }) => list(context, query, before, addressHash),
});

async function list(
  context: Context,
  query: Pick<TraceQuery, 'limit'> & Partial<TraceQuery>,
  before: Parameters<typeof lists.listTraces>[4],
  addressHash: string | null,
) {
  const { deps, organisationId, authorized } = context;
  const { key, organisation } = authorized;
  const { limit } = query;
  const keyId = writtenBy(key, query.key_id);
  const bulkJobId = query.bulk_job_id === undefined ? null : parseId('bj', query.bulk_job_id);
  const isNoJob = query.bulk_job_id !== undefined && bulkJobId === null;
  if (keyId === 'none' || isNoJob) return { traces: [], cursor: null };

  await flush(deps, context, null);
  const { domain, reason, decision, email_type: emailType, recommendation, verdict, esp, kind } = query;
  const filter = {
    mode: key.mode,
    keyId,
    bulkJobId,
    addressHash,
    fromMs: query.from === undefined ? null : query.from * SECOND_MS,
    toMs: query.to === undefined ? null : query.to * SECOND_MS,
    facets: { domain, reason, decision, emailType, recommendation, verdict, esp, kind },
  };
  const page = await lists.listTraces(deps.db, organisationId, filter, limit + 1, before);
  const { shown, cursor } = pageOf(page.traces, limit, ({ record }) => record.id);
  return {
    traces: shown.map(
      query.scope === 'owner' ? (each) => labelled(each, organisation.accountId) : ({ record }) => traceRow(record),
    ),
    cursor: cursor ?? page.examinedTo,
  };
}

function labelled({ record, key }: lists.ListedTrace, accountId: string): LabelledTraceRow {
  return {
    ...traceRow(record),
    account_id: accountId,
    api_key_id: record.keyId,
    key_name: key?.name ?? null,
    key_origin: (key?.origin ?? null) as LabelledTraceRow['key_origin'],
    policy_decision: listedDecision(decidedBy('decide', record)),
    bulk_decision: listedDecision(decidedBy('bulk', record)),
  };
}

/** Only the decision; its inputs are in the single trace. */
const listedDecision = (made: StoredPolicyDecision | null): LabelledTraceRow['policy_decision'] =>
  made && { decision: made.decision, rule_id: made.rule_id, policy: made.policy };

const NO_TRACE = new DomainError('not_found', 'This trace does not exist.');

/** Reads a trace by its `vr_` or `dc_` id, available as soon as the answer that named it. */
export const readTrace = verb({
  route: ROUTES.trace,
  run: async (context, { params: { trace_id: id } }) => {
    const { deps, organisationId, authorized } = context;
    const known = parseId('vr', id) ?? parseId('dc', id);
    if (known === null) throw NO_TRACE;
    const flushed = await flush(deps, context, known);
    const { held } = flushed;
    const [trace, outcome] = await Promise.all([
      held === null ? findTrace(deps.db, organisationId, known) : (JSON.parse(held) as TraceRecord),
      outcomeInForce(deps.db, context, siblingId('vr', known), flushed),
    ]);
    if (trace === null || !maySeeTrace(authorized.key, trace)) throw NO_TRACE;
    return { trace: traceBody(trace, outcome && reportedOutcome(outcome), evidenceOf) };
  },
});

/** The report in force about a verification, in Postgres or still in the object. */
async function outcomeInForce(
  db: Database,
  caller: Pick<Caller, 'organisationId' | 'mode'>,
  id: Id<'vr'>,
  { drained, held, heldOutcome }: Flushed,
): Promise<OutcomeRecord | null> {
  if (heldOutcome !== undefined) {
    const record = JSON.parse(heldOutcome) as OutcomeRecord;
    // A report of the other mode leaves the stored one in force.
    if (record.mode === caller.mode) return record;
  }
  // Postgres does not have the trace yet, and so no report of it.
  return held !== null && !drained ? null : findOutcome(db, caller.organisationId, caller.mode, id);
}

/** History is in Postgres, and the newest of it may still be with the object. */
export interface HistoryDeps {
  readonly db: Database;
  readonly objects: ObjectDeps;
}

/** Flushes the object's outbox. Returns what is still unwritten about `traceId` and the addresses of `addressesOf`. */
export async function flush(
  { objects }: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  traceId: Id<'vr' | 'dc'> | null,
  addressesOf?: readonly Id<'vr' | 'dc'>[],
): Promise<Flushed> {
  const flushed = await callObject(objects, caller.organisationId).flush(traceId, addressesOf);
  return flushed.ok ? flushed.value : { drained: false, held: null };
}

/** The same for a caller who reads Postgres by an address's hash: it throws where something could not be written. */
export async function requireWritten(deps: HistoryDeps, caller: Pick<Caller, 'organisationId'>): Promise<void> {
  if (!(await flush(deps, caller, null)).drained) throw new DependencyError('postgres', 'the outbox is not written');
}

/** The addresses of the traces that the key may read, by trace id. The newest may still be with the object. */
export async function resolveTraces(
  deps: HistoryDeps,
  caller: Pick<Caller, 'organisationId'>,
  key: KeyIdentity,
  texts: readonly string[],
): Promise<ReadonlyMap<string, store.TraceAddress>> {
  const ids = texts.flatMap((text) => parseId('vr', text) ?? parseId('dc', text) ?? []);
  if (ids.length === 0) return new Map();
  const { drained, heldAddresses } = await flush(deps, caller, null, ids);
  const found = new Map<string, store.TraceAddress>(heldAddresses?.map(({ id, ...address }) => [id, address]));
  const elsewhere = ids.filter((id) => !found.has(id));
  if (elsewhere.length > 0) {
    const written = await store.findTraceAddresses(deps.db, caller.organisationId, elsewhere);
    for (const [id, address] of written) found.set(id, address);
  }
  // The object gave no answer: it may have the missing ones.
  if (!drained && heldAddresses === undefined && elsewhere.some((id) => !found.has(id)))
    throw objectError('unreachable');
  return new Map([...found].filter(([, trace]) => maySeeTrace(key, trace)));
}
