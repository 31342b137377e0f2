import { checkpointKey, jobPrefix, resultsKey } from '../../domain/bulk/files.ts';
import { encodeRange } from '../../domain/bulk/results/row-result.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { type Id, newId } from '../../kernel/ids.ts';
import { askObject, PORT_VERSION } from '../../organisation/api.ts';
import type { RunDeps } from './check-row.ts';
import { type AskJob, claimRange } from './claim-range.ts';
import { RangeWork } from './range-work.ts';
import { mergeResults } from './results.ts';

/** A range hands over up to a hundred traces, which takes longer than a signup waits. */
const OBJECT_TIMEOUT_MS = 10_000;
const retryDelayMs = (failures: number): number => Math.min(5 * MINUTE_MS, 30 * SECOND_MS * 2 ** failures);

/** Claims a job's next range and does it. False: no range is left. Throws when the object can't be reached. */
export async function runRange(deps: RunDeps, organisationId: Id<'org'>, jobId: Id<'bj'>): Promise<boolean> {
  const ask: AskJob = (name, call) => askObject(deps.objects, organisationId, name, call, OBJECT_TIMEOUT_MS);
  const lease = newId('rq', deps.checks.now());
  const range = await claimRange(deps.checks, ask, organisationId, jobId, lease);
  if (range === null) return false;
  const { claim } = range;
  const held = { v: PORT_VERSION, id: jobId, range: claim.range, lease } as const;
  const prefix = jobPrefix(organisationId, jobId);
  const work = new RangeWork(deps, range, () => ask('renewRange', (stub) => stub.renewRange(held)));

  const addresses = await work.addresses();
  const probes = work.probes(addresses);
  const rules = await ask('matchRules', (stub) => stub.matchRules({ v: PORT_VERSION, probes }));
  await work.restore();
  if (!(await work.run(addresses, rules))) return true;
  if (work.left > 0 && !claim.isLastTry) {
    await work.checkpoint();
    const retryAt = deps.checks.now() + retryDelayMs(claim.failures);
    const spendMicros = work.unansweredMicros;
    await ask('failRange', (stub) => stub.failRange({ ...held, retryAt, spendMicros }));
    return true;
  }
  await deps.blobs.put(resultsKey(prefix, claim.from, lease), encodeRange(work.results()));
  const outcome = work.outcome();
  const finished = await ask('finishRange', (stub) => stub.finishRange({ ...held, ...outcome }));
  // The job was deleted meanwhile, or another holder has the range and may need the checkpoint.
  if (finished === 'lost') await deps.blobs.delete(resultsKey(prefix, claim.from, lease));
  else if (claim.isRetry || work.checkpoints > 0) await deps.blobs.delete(checkpointKey(prefix, claim.from));
  if (finished !== 'last') return true;
  const places = await ask('listResults', (stub) => stub.listResults({ v: PORT_VERSION, id: jobId }));
  await mergeResults(deps.blobs, prefix, places);
  return false;
}
