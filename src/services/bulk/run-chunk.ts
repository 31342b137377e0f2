import { checkpointKey, jobPrefix, resultsKey } from '../../domain/bulk/job-record.ts';
import { encodeChunk } from '../../domain/bulk/results/row-result.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { type Id, newId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { withoutVendors } from '../switched-off.ts';
import type { RunDeps } from './verify-row.ts';
import { claimChunk } from './claim-chunk.ts';
import { ChunkWork } from './chunk-work.ts';
import { mergeResults } from './results.ts';

const retryDelayMs = (failures: number): number => Math.min(5 * MINUTE_MS, 30 * SECOND_MS * 2 ** failures);

/** Claims a job's next chunk and does it. False: no chunk is left. Throws when the object can't be reached. */
export async function runChunk(deps: RunDeps, organisationId: Id<'org'>, jobId: Id<'bj'>): Promise<boolean> {
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
