import type { LabelledTraceRow, Trace, TraceList, TraceQuery } from '../../contract/traces.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { reportedOutcome } from '../../domain/feedback/outcomes.ts';
import { decidedBy, maySeeTrace, traceBody, traceRow } from '../../domain/traces/present.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId, siblingId } from '../../kernel/ids.ts';
import { objectError } from '../../organisation/api.ts';
import * as store from '../../storage/postgres/traces.ts';
import { admitReached } from '../access/account.ts';
import { outcomeInForce } from '../feedback/feedback.ts';
import type { Operation } from '../operation.ts';
import { flush, type HistoryDeps, writtenBy } from './history.ts';

const NO_TRACE = new DomainError('not_found', 'There is no such trace.');

/** One trace by its `vr_` or `dc_` id, as soon as the answer that named it has arrived. */
export async function readTrace(deps: HistoryDeps, op: Operation, id: string): Promise<{ trace: Trace }> {
  const { key } = await admitReached(op);
  const known = parseId('vr', id) ?? parseId('dc', id);
  if (known === null) throw NO_TRACE;
  const flushed = await flush(deps, op, known);
  const { held } = flushed;
  const [trace, outcome] = await Promise.all([
    held === null ? store.findTrace(deps.db, op.organisationId, known) : (JSON.parse(held) as TraceRecord),
    outcomeInForce(deps.db, op, siblingId('vr', known), flushed),
  ]);
  if (trace === null || !maySeeTrace(key, trace)) throw NO_TRACE;
  return { trace: traceBody(trace, outcome && reportedOutcome(outcome)) };
}

/** Newest first. A key that may not see the whole organisation gets its own rows, whatever it asks for. */
export async function listTraces(deps: HistoryDeps, op: Operation, query: TraceQuery): Promise<TraceList> {
  const { key, organisation } = await admitReached(op);
  const { cursor, limit } = query;
  const before = cursor === undefined ? null : (parseId('vr', cursor) ?? parseId('dc', cursor));
  if (cursor !== undefined && before === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
  const keyId = writtenBy(key, query.key_id);
  const bulkJobId = query.bulk_job_id === undefined ? null : parseId('bj', query.bulk_job_id);
  const isNoJob = query.bulk_job_id !== undefined && bulkJobId === null;
  if (keyId === 'nobody' || isNoJob) return { traces: [], cursor: null };

  await flush(deps, op, null);
  const filter = { mode: key.mode, keyId, bulkJobId };
  const listed = await store.listTraces(deps.db, op.organisationId, filter, limit + 1, before);
  const page = listed.slice(0, limit);
  return {
    traces: page.map(
      query.scope === 'owner' ? (each) => labelled(each, organisation.accountId) : ({ record }) => traceRow(record),
    ),
    cursor: listed.length > limit ? (page.at(-1)?.record.id ?? null) : null,
  };
}

function labelled({ record, key }: store.ListedTrace, accountId: string): LabelledTraceRow {
  const made = decidedBy('decide', record);
  return {
    ...traceRow(record),
    account_id: accountId,
    api_key_id: record.keyId,
    key_name: key?.name ?? null,
    key_origin: (key?.origin ?? null) as LabelledTraceRow['key_origin'],
    policy_decision: made && { decision: made.decision, rule_id: made.rule_id, policy: made.policy },
  };
}

/** The addresses that traces are about, by trace id: of those the key may read. Those still with the object come from there. */
export async function resolveTraces(
  deps: HistoryDeps,
  op: Operation,
  key: KeyIdentity,
  texts: readonly string[],
): Promise<ReadonlyMap<string, store.TraceAddress>> {
  const ids = texts.flatMap((text) => parseId('vr', text) ?? parseId('dc', text) ?? []);
  if (ids.length === 0) return new Map();
  const { drained, heldAddresses } = await flush(deps, op, null, ids);
  const found = new Map<string, store.TraceAddress>(heldAddresses?.map(({ id, ...address }) => [id, address]));
  const elsewhere = ids.filter((id) => !found.has(id));
  if (elsewhere.length > 0) {
    const written = await store.findTraceAddresses(deps.db, op.organisationId, elsewhere);
    for (const [id, address] of written) found.set(id, address);
  }
  // An object that did not say what it holds may hold the others.
  if (!drained && heldAddresses === undefined && elsewhere.some((id) => !found.has(id)))
    throw objectError('unreachable');
  return new Map([...found].filter(([, trace]) => maySeeTrace(key, trace)));
}
