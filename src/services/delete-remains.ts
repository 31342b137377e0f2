import { organisationPrefix } from '../domain/bulk/job-record.ts';
import type { Id } from '../kernel/ids.ts';
import { askOperators } from '../organisation/api.ts';
import { deleteCalibration } from '../storage/postgres/calibration.ts';
import type { Database } from '../storage/postgres/client.ts';
import { deleteFeedback } from '../storage/postgres/feedback.ts';
import { deleteRollups } from '../storage/postgres/insights/read.ts';
import { deleteSuppressed } from '../storage/postgres/mail-reports.ts';
import { deletePeople } from '../storage/postgres/members.ts';
import * as directory from '../storage/postgres/organisations.ts';
import {
  deleteAudit,
  deleteJobs,
  deleteKeys,
  deletePolicies,
  deleteUsage,
} from '../storage/postgres/projected-records.ts';
import { deleteRules } from '../storage/postgres/rules.ts';
import { deleteScreenings } from '../storage/postgres/screening.ts';
import { deleteTraces } from '../storage/postgres/traces.ts';
import { deleteUsageDays } from '../storage/postgres/usage-days.ts';
import { type Blobs, deletePrefix } from '../storage/r2.ts';
import { type OperationsDeps } from './operators.ts';

interface DeletionDeps {
  readonly db: Database;
  readonly objects: OperationsDeps;
  readonly kv: { delete(key: string): Promise<void> };
  readonly blobs: Pick<Blobs, 'list' | 'delete'>;
}

/**
 * Deletes all data of an organisation outside its object, which has its tombstone already. The directory's row goes last:
 * while it is there the night finds the organisation and finishes an interrupted deletion.
 */
export async function deleteRemains({ db, objects, blobs }: DeletionDeps, id: Id<'org'>): Promise<void> {
  await deleteTraces(db, id);
  await deleteScreenings(db, id);
  await deleteFeedback(db, id);
  await deleteSuppressed(db, id);
  await deleteKeys(db, id);
  await deletePeople(db, id);
  await deleteAudit(db, id);
  await deleteUsage(db, id);
  await deleteUsageDays(db, id);
  await deleteRollups(db, id);
  await deleteRules(db, id);
  await deleteJobs(db, id);
  await deleteCalibration(db, id);
  await deletePrefix(blobs, organisationPrefix(id));
  await deletePolicies(db, id);
  await askOperators(objects).dropOrganisation(id);
  await directory.deleteOrganisation(db, id);
  // Once more: a running statement of the outbox may have written until the directory's row was gone.
  await deleteRules(db, id);
  await deletePeople(db, id);
  await deleteAudit(db, id);
  // Once more: a night may have read the directory's row before and noted it again.
  await askOperators(objects).dropOrganisation(id);
}
