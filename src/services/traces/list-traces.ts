import { ROUTES } from '../../contract/routes.ts';
import type { LabelledTraceRow } from '../../contract/traces.ts';
import { decidedBy, traceRow } from '../../domain/traces/present.ts';
import { parseId } from '../../kernel/ids.ts';
import * as store from '../../storage/postgres/traces.ts';
import { pageOf, readCursor } from '../paging.ts';
import { verb } from '../verb.ts';
import { flush, writtenBy } from './history.ts';

/** Newest first. A key that may not see the whole organisation sees its own rows only. */
export const listTraces = verb({
  route: ROUTES.traces,
  parse: ({ query }) => ({ query, before: readCursor(query.cursor, 'vr', 'dc') }),
  run: async (context, { query, before }) => {
    const { deps, organisationId, admitted } = context;
    const { key, organisation } = admitted;
    const { limit } = query;
    const keyId = writtenBy(key, query.key_id);
    const bulkJobId = query.bulk_job_id === undefined ? null : parseId('bj', query.bulk_job_id);
    const isNoJob = query.bulk_job_id !== undefined && bulkJobId === null;
    if (keyId === 'none' || isNoJob) return { traces: [], cursor: null };

    await flush(deps, context, null);
    const filter = { mode: key.mode, keyId, bulkJobId };
    const listed = await store.listTraces(deps.db, organisationId, filter, limit + 1, before);
    const { shown, cursor } = pageOf(listed, limit, ({ record }) => record.id);
    return {
      traces: shown.map(
        query.scope === 'owner' ? (each) => labelled(each, organisation.accountId) : ({ record }) => traceRow(record),
      ),
      cursor,
    };
  },
});

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
