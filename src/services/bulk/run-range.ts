import { checkpointKey, jobPrefix, resultsKey } from '../../domain/bulk/job-record.ts';
import { encodeRange } from '../../domain/bulk/results/row-result.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { type Id, newId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { withoutVendors } from '../switched-off.ts';
import type { RunDeps } from './verify-row.ts';
import { claimRange } from './claim-range.ts';
import { RangeWork } from './range-work.ts';
import { mergeResults } from './results.ts';

const retryDelayMs = (failures: number): number => Math.min(5 * MINUTE_MS, 30 * SECOND_MS * 2 ** failures);

/** Claims a job's next range and does it. False: no range is left. Throws when the object can't be reached. */
export async function runRange(deps: RunDeps, organisationId: Id<'org'>, jobId: Id<'bj'>): Promise<boolean> {
  const { objects } = deps;
  const lease = newId('rq', deps.checks.now());
  const range = await claimRange(objects, organisationId, jobId, lease);
  if (range === null) return false;
  const { claim } = range;
  const held = { id: jobId, range: claim.range, lease };
  const prefix = jobPrefix(organisationId, jobId);
  const checks = withoutVendors(deps.checks, range.off);
  const work = new RangeWork({ ...deps, checks }, range, () => askObject(objects, organisationId).renewRange(held));

  const addresses = await work.addresses();
  const probes = work.probes(addresses);
  const rules = await askObject(objects, organisationId).matchRules({ probes, jobId });
  await work.restore();
  if (!(await work.run(addresses, rules))) return true;
  if (work.left > 0 && !claim.isLastTry) {
    await work.checkpoint();
    const retryAt = deps.checks.now() + retryDelayMs(claim.failures);
    await askObject(objects, organisationId).failRange({ ...held, retryAt, ...work.failed() });
    return true;
  }
  await deps.blobs.put(resultsKey(prefix, claim.from, lease), encodeRange(work.results()));
  const finished = await askObject(objects, organisationId).finishRange({ ...held, ...work.finished() });
  // The job was deleted meanwhile, or another holder has the range and may need the checkpoint.
  if (finished === 'lost') await deps.blobs.delete(resultsKey(prefix, claim.from, lease));
  else if (claim.isRetry || work.checkpoints > 0) await deps.blobs.delete(checkpointKey(prefix, claim.from));
  if (finished !== 'last') return true;
  const places = await askObject(objects, organisationId).listResults({ id: jobId });
  await mergeResults(deps.blobs, prefix, places);
  return false;
}
