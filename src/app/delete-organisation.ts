import { deleteKeys } from '../domain/access/store.ts';
import { organisationPrefix } from '../domain/bulk/files.ts';
import { deleteJobs } from '../domain/bulk/store.ts';
import { deleteFeedback } from '../domain/feedback/store.ts';
import { deleteRollups } from '../domain/insights/store/read.ts';
import { deleteUsage } from '../domain/metering/store.ts';
import * as directory from '../domain/organisation/store.ts';
import { deletePolicies } from '../domain/policy/store.ts';
import { deleteRules } from '../domain/rule-lists/store.ts';
import { deleteScreenings } from '../domain/screening/store.ts';
import { deleteTraces } from '../domain/traces/store.ts';
import type { Id } from '../kernel/ids.ts';
import { type Blobs, deletePrefix } from '../platform/blob.ts';
import type { Database } from '../platform/db/client.ts';
import { forgetCalibration } from './calibration.ts';
import { askOperations, type OperationsDeps } from './operators.ts';

export interface DeletionDeps {
  readonly db: Database;
  readonly objects: OperationsDeps;
  readonly facts: { delete(key: string): Promise<void> };
  readonly blobs: Pick<Blobs, 'list' | 'delete'>;
}

/**
 * What an organisation whose object has its tombstone left elsewhere. The directory's row goes last: as long as it is there
 * the night finds the organisation, and does what an interrupted deletion has left.
 */
export async function deleteRemains({ db, objects, facts, blobs }: DeletionDeps, id: Id<'org'>): Promise<void> {
  await deleteTraces(db, id);
  await deleteScreenings(db, id);
  await deleteFeedback(db, id);
  await deleteKeys(db, id);
  await deleteUsage(db, id);
  await deleteRollups(db, id);
  await deleteRules(db, id);
  await deleteJobs(db, id);
  await forgetCalibration({ db, facts }, id);
  await deletePrefix(blobs, organisationPrefix(id));
  await deletePolicies(db, id);
  await askOperations(objects, 'dropOrganisation', (stub) => stub.dropOrganisation(id));
  await directory.deleteOrganisation(db, id);
  // Once more: a statement of the outbox that was still running wrote until the organisation's row was gone.
  await deleteRules(db, id);
}
