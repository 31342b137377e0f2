import {
  checkpointKey,
  jobPrefix,
  resultsKey,
  type JobRecord,
  jobsPrefix,
  ORGANISATIONS_PREFIX,
} from '../../domain/bulk/job-record.ts';
import { RETENTION_MS } from '../../domain/bulk/job.ts';
import { doneMail } from '../../domain/bulk/present.ts';
import { encodeChunk } from '../../domain/bulk/results/row-result.ts';
import type { Fetch } from '../../integrations/exchange.ts';
import { deliverMail, type MailSettings } from '../../integrations/mail.ts';
import { MINUTE_MS, SECOND_MS, DAY_MS } from '../../kernel/clock.ts';
import { type Id, newId, idTimeMs, parseId } from '../../kernel/ids.ts';
import { describeError, failureLevel, log } from '../../kernel/log.ts';
import { askObject, callObject, type ObjectDeps } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { findUserEmail } from '../../storage/postgres/organisations.ts';
import { type Blobs, deletePrefix, listFolders } from '../../storage/r2.ts';
import type { BackgroundDeps } from '../deps.ts';
import type { MessageOf } from '../queue-message.ts';
import { withoutVendors } from '../switched-off.ts';
import { ChunkWork } from './chunk-work.ts';
import { claimChunk } from './claim-chunk.ts';
import { mergeResults } from './stored-files.ts';
import type { RunDeps } from './verify-row.ts';

const retryDelayMs = (failures: number): number => Math.min(5 * MINUTE_MS, 30 * SECOND_MS * 2 ** failures);

/** Claims and does a job's next chunk. False: no chunk is left. Throws if the object is unreachable. */
async function runChunk(deps: RunDeps, organisationId: Id<'org'>, jobId: Id<'bj'>): Promise<boolean> {
  const { objects } = deps;
  const lease = newId('rq', deps.checks.now());
  const chunk = await claimChunk(objects, organisationId, jobId, lease);
  if (chunk === null) return false;
  const { claim } = chunk;
  const held = { id: jobId, chunk: claim.chunk, lease };
  const prefix = jobPrefix(organisationId, jobId);
  const checks = withoutVendors(deps.checks, chunk.off);
  const work = new ChunkWork({ ...deps, checks }, chunk, () => askObject(objects, organisationId).renewChunk(held));

  const addresses = await work.addresses();
  const lookups = work.lookups(addresses);
  const rules = await askObject(objects, organisationId).matchRules({ lookups, jobId });
  await work.restore();
  if (!(await work.run(addresses, rules))) return true;
  if (work.left > 0 && !claim.isLastTry) {
    await work.checkpoint();
    const retryAt = deps.checks.now() + retryDelayMs(claim.failures);
    await askObject(objects, organisationId).failChunk({ ...held, retryAt, ...work.failed() });
    return true;
  }
  await deps.blobs.put(resultsKey(prefix, claim.from, lease), encodeChunk(work.results()));
  const finished = await askObject(objects, organisationId).finishChunk({ ...held, ...work.finished() });
  // The job was deleted meanwhile, or another holder has the chunk and may need the checkpoint.
  if (finished === 'lost') await deps.blobs.delete(resultsKey(prefix, claim.from, lease));
  else if (claim.isRetry || work.checkpoints > 0) await deps.blobs.delete(checkpointKey(prefix, claim.from));
  if (finished !== 'last') return true;
  const places = await askObject(objects, organisationId).listResults({ id: jobId });
  await mergeResults(deps.blobs, prefix, places);
  return false;
}

/**
 * Does one chunk of a job and forwards the message while there are more: an invocation has a limited number of
 * look-ups. False: the chunk failed and may succeed later.
 */
export async function runJob(deps: BackgroundDeps, message: MessageOf<'job'>): Promise<boolean> {
  const { objects, blobs, addressTables } = deps;
  const { organisationId, jobId } = message;
  try {
    const goesOn = await runChunk({ checks: deps, objects, blobs, addressTables }, organisationId, jobId);
    if (goesOn) await deps.queues.jobs.send(message);
    return true;
  } catch (error) {
    log(failureLevel(error), 'chunk_failed', { organisation: organisationId, job: jobId, ...describeError(error) });
    return false;
  }
}

interface NotifyDeps {
  readonly db: Database;
  readonly fetch: Fetch;
  readonly mail: MailSettings;
  readonly publicUrl: string | null;
}

/** Mails the user whose key created the job that it is done. False: try again later. Never rejects. */
export async function notifyDone(deps: NotifyDeps, { job, owner, organisation }: JobRecord): Promise<boolean> {
  if (owner.userId === null) return true;
  try {
    const to = await findUserEmail(deps.db, organisation.id, owner.userId);
    // The user was deleted.
    if (to === null) return true;
    const message = doneMail(job, deps.publicUrl);
    return await deliverMail(deps.mail, deps.fetch, { to, ...message }, job.id);
  } catch (error) {
    log('warn', 'mail_failed', { job: job.id, ...describeError(error) });
    return false;
  }
}

export interface SweepDeps {
  readonly objects: ObjectDeps;
  readonly blobs: Pick<Blobs, 'list' | 'delete'>;
}

/** The objects' timers had a day for it. */
const OVERDUE_MS = RETENTION_MS + DAY_MS;

/**
 * Nightly: deletes files that the objects' timers should have deleted a day ago, also of deleted organisations, and
 * ends their jobs. `unreached`: jobs whose object did not answer; the next night retries. One job's failure stops no
 * other.
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
