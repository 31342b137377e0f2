import type { ProjectedInvitation, ProjectedMember } from '../../domain/access/member-records.ts';
import type { ProjectedJob } from '../../domain/bulk/job-record.ts';
import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import type { ProjectedPolicy } from '../../domain/policy/document.ts';
import type { ProjectedLosses } from '../../domain/router/losses.ts';
import type { ProjectedChange } from '../../domain/rules/rules.ts';
import type { TraceRecord } from '../../domain/traces/traces.ts';
import { type Database, sqlState } from './client.ts';
import { insertEvents, upsertOutcomes } from './feedback.ts';
import { writeInvitations, writeMembers } from './members.ts';
import { upsertOrganisations } from './organisations.ts';
import {
  insertAudit,
  insertLosses,
  insertPolicies,
  type ProjectedAuditLine,
  type ProjectedKey,
  type ProjectedUsage,
  upsertJobs,
  upsertKeys,
  upsertUsage,
} from './projected-records.ts';
import { type RehashedAddresses, rehashAddresses } from './rehash.ts';
import { applyRuleChanges } from './rules.ts';
import { insertScreenings } from './screening.ts';
import { insertTraces } from './traces.ts';

/** A record on the way from the object to Postgres. */
export interface OutboxRow {
  readonly seq: number;
  readonly kind:
    | 'trace'
    | 'screening'
    | 'outcome'
    | 'event'
    | 'organisation'
    | 'api_key'
    | 'usage'
    | 'domain_rules'
    | 'address_rules'
    | 'policy'
    | 'losses'
    | 'member'
    | 'invitation'
    | 'audit'
    | 'bulk_job'
    | 'rehash';
  readonly id: string;
  /** JSON. */
  readonly record: string;
  readonly at: number;
}

/** `rejected`: Postgres reports a row's content as invalid; `unavailable`: anything else, so try again later. */
export interface WriteFailure {
  readonly kind: 'unavailable' | 'rejected';
  readonly error: unknown;
}

/** Writes outbox rows of one kind to Postgres. Every writer is idempotent. */
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
    return { kind: isRowRejected(error) ? 'rejected' : 'unavailable', error };
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
  losses: (db, records) => insertLosses(db, parseAll<ProjectedLosses>(records)),
  member: (db, records) => writeMembers(db, parseAll<ProjectedMember>(records)),
  invitation: (db, records) => writeInvitations(db, parseAll<ProjectedInvitation>(records)),
  audit: (db, records) => insertAudit(db, parseAll<ProjectedAuditLine>(records)),
  rehash: (db, records) => rehashAddresses(db, parseAll<RehashedAddresses>(records)),
  usage: (db, records) => upsertUsage(db, parseAll<ProjectedUsage>(records)),
};

const parseAll = <T>(records: readonly string[]): T[] => records.map((record) => JSON.parse(record) as T);

/** SQLSTATE classes 22 (data) and 23 (constraint), or invalid JSON: a retry of the row does not help. */
function isRowRejected(error: unknown): boolean {
  const state = sqlState(error);
  return error instanceof SyntaxError || (state !== null && (state.startsWith('22') || state.startsWith('23')));
}
