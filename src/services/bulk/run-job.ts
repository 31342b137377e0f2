import { describeError, failureLevel, log } from '../../kernel/log.ts';
import type { BackgroundDeps } from '../deps.ts';
import { type MessageOf, wireMessage } from '../queue-message.ts';
import { runRange } from './run-range.ts';

/** Enough for some ranges whose addresses are all known; a range that asks providers takes longer. */
const GOES_ON_MS = 250;

/**
 * Does ranges of a job. An invocation has a limited number of look-ups: after a range that takes time the message is sent on,
 * for another invocation. False: a range failed and may do better later.
 */
export async function runJob(deps: BackgroundDeps, message: MessageOf<'job'>): Promise<boolean> {
  const { now, objects, blobs, addressTables } = deps;
  const { organisationId, jobId } = message;
  const startedAt = now();
  const runNext = async (): Promise<boolean> => {
    await deps.freshLists();
    return runRange({ checks: deps, objects, blobs, addressTables }, organisationId, jobId);
  };
  try {
    while (await runNext()) {
      if (now() - startedAt < GOES_ON_MS) continue;
      await deps.queues.jobs.send(wireMessage(message));
      break;
    }
    return true;
  } catch (error) {
    log(failureLevel(error), 'range_failed', { organisation: organisationId, job: jobId, ...describeError(error) });
    return false;
  }
}
