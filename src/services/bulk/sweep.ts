import { jobPrefix, jobsPrefix, ORGANISATIONS_PREFIX } from '../../domain/bulk/job-record.ts';
import { RETENTION_MS } from '../../domain/bulk/job.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { type Id, idTimeMs, newId, parseId } from '../../kernel/ids.ts';
import { callObject, type ObjectDeps } from '../../organisation/api.ts';
import { type Blobs, deletePrefix, listFolders } from '../../storage/r2.ts';

export interface SweepDeps {
  readonly objects: ObjectDeps;
  readonly blobs: Pick<Blobs, 'list' | 'delete'>;
}

/** The objects' timers had a day for it. */
const OVERDUE_MS = RETENTION_MS + DAY_MS;

/**
 * For the nightly run: deletes files that the objects' timers should have deleted a day ago, those of deleted organisations
 * too, and ends their jobs. `unreached`: jobs whose object did not answer; the next night tries again. One job's failure stops
 * no other.
 */
export async function sweepBulkFiles({ objects, blobs }: SweepDeps): Promise<{ deleted: number; unreached: number }> {
  const swept = { deleted: 0, unreached: 0 };
  for await (const organisation of listFolders(blobs, ORGANISATIONS_PREFIX)) {
    const organisationId = parseId('org', organisation);
    if (organisationId === null) continue;
    for await (const folder of listFolders(blobs, jobsPrefix(organisationId))) {
      const id = parseId('bj', folder);
      if (id === null || idTimeMs(id) + OVERDUE_MS > objects.now()) continue;
      if (await endJob(objects, organisationId, id)) {
        await deletePrefix(blobs, jobPrefix(organisationId, id));
        swept.deleted += 1;
      } else swept.unreached += 1;
    }
  }
  return swept;
}

/** Tells the object that the files are gone. */
async function endJob(objects: SweepDeps['objects'], organisationId: Id<'org'>, id: Id<'bj'>): Promise<boolean> {
  const operationId = newId('rq', objects.now());
  return (await callObject(objects, organisationId).moveJob({ operationId, id, move: { kind: 'expire' } })).ok;
}
