import { type ProjectedKey, upsertKeys } from '../domain/access/store.ts';
import type { ProjectedJob } from '../domain/bulk/port.ts';
import { upsertJobs } from '../domain/bulk/store.ts';
import { insertEvents, upsertOutcomes } from '../domain/feedback/store.ts';
import { type ProjectedUsage, upsertUsage } from '../domain/metering/store.ts';
import type { OrganisationSettings, OutboxRow, ProjectedPolicy, WriteFailure } from '../domain/organisation/index.ts';
import { upsertOrganisations } from '../domain/organisation/store.ts';
import { insertPolicies } from '../domain/policy/store.ts';
import type { ProjectedChange } from '../domain/rule-lists/index.ts';
import { applyRuleChanges } from '../domain/rule-lists/store.ts';
import { insertScreenings } from '../domain/screening/store.ts';
import type { TraceRecord } from '../domain/traces/index.ts';
import { insertTraces } from '../domain/traces/store.ts';
import { type Database, sqlState } from '../platform/db/client.ts';

/** Writes outbox rows of one kind to Postgres. Every writer is safe to repeat. */
export async function writeOutbox(
  db: Database,
  kind: OutboxRow['kind'],
  rows: readonly OutboxRow[],
): Promise<WriteFailure | null> {
  try {
    await WRITERS[kind](
      db,
      rows.map((row) => row.record),
      rows.map((row) => row.id),
    );
    return null;
  } catch (error) {
    return { kind: isRefusal(error) ? 'refused' : 'unavailable', error };
  }
}

type Write = (db: Database, records: readonly string[], ids: readonly string[]) => Promise<void>;

const WRITERS: Record<OutboxRow['kind'], Write> = {
  trace: (db, records, ids) => insertTraces(db, records, ids as TraceRecord['id'][]),
  screening: insertScreenings,
  outcome: upsertOutcomes,
  event: insertEvents,
  organisation: (db, records) => upsertOrganisations(db, parseAll<OrganisationSettings>(records)),
  api_key: (db, records) => upsertKeys(db, parseAll<ProjectedKey>(records)),
  domain_rules: (db, records) => applyRuleChanges(db, 'domain', parseAll<ProjectedChange>(records)),
  address_rules: (db, records) => applyRuleChanges(db, 'address', parseAll<ProjectedChange>(records)),
  bulk_job: (db, records) => upsertJobs(db, parseAll<ProjectedJob>(records)),
  policy: (db, records) => insertPolicies(db, parseAll<ProjectedPolicy>(records)),
  usage: (db, records) => upsertUsage(db, parseAll<ProjectedUsage>(records)),
};

const parseAll = <T>(records: readonly string[]): T[] => records.map((record) => JSON.parse(record) as T);

/** SQLSTATE classes 22 (data) and 23 (constraint), or no JSON: the row itself is at fault, and waiting will not mend it. */
function isRefusal(error: unknown): boolean {
  const state = sqlState(error);
  return error instanceof SyntaxError || (state !== null && (state.startsWith('22') || state.startsWith('23')));
}
