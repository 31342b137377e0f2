import { ROUTES } from '../../contract/routes.ts';
import type { LabelledTraceRow, StoredPolicyDecision, TraceQuery } from '../../contract/traces.ts';
import { writtenBy } from '../../domain/access/written-by.ts';
import { decidedBy, traceRow } from '../../domain/traces/present.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { parseId } from '../../kernel/ids.ts';
import * as store from '../../storage/postgres/traces.ts';
import { pageOf, readCursor } from '../paging.ts';
import { requireAddress } from '../require-address.ts';
import { type Context, verb } from '../verb.ts';
import { flush } from './history.ts';

/** Newest first. A key that may not see the whole organisation sees its own rows only. */
export const listTraces = verb({
  route: ROUTES.traces,
  parse: ({ query }) => ({ query, before: readCursor(query.cursor, 'vr', 'dc') }),
  run: (context, { query, before }) => list(context, query, before, null),
});

/** The traces of an address, which stands in the body and never in a URL. */
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
  before: Parameters<typeof store.listTraces>[4],
  addressHash: string | null,
) {
  const { deps, organisationId, admitted } = context;
  const { key, organisation } = admitted;
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
  const page = await store.listTraces(deps.db, organisationId, filter, limit + 1, before);
  const { shown, cursor } = pageOf(page.traces, limit, ({ record }) => record.id);
  return {
    traces: shown.map(
      query.scope === 'owner' ? (each) => labelled(each, organisation.accountId) : ({ record }) => traceRow(record),
    ),
    cursor: cursor ?? page.examinedTo,
  };
}

function labelled({ record, key }: store.ListedTrace, accountId: string): LabelledTraceRow {
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

/** A row has the decision alone; what it was made from stands in the single trace. */
const listedDecision = (made: StoredPolicyDecision | null): LabelledTraceRow['policy_decision'] =>
  made && { decision: made.decision, rule_id: made.rule_id, policy: made.policy };
