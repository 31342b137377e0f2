import { describeError, failureLevel, log } from '../../kernel/log.ts';
import type { BackgroundDeps } from '../deps.ts';
import { type MessageOf, wireMessage } from '../queue-message.ts';
import { runChunk } from './run-chunk.ts';

/**
 * Does one chunk of a job and sends the message on while there are more: an invocation has a limited number of look-ups.
 * False: the chunk failed and may do better later.
 */
export async function runJob(deps: BackgroundDeps, message: MessageOf<'job'>): Promise<boolean> {
  const { objects, blobs, addressTables } = deps;
  const { organisationId, jobId } = message;
  try {
    const goesOn = await runChunk({ checks: deps, objects, blobs, addressTables }, organisationId, jobId);
    if (goesOn) await deps.queues.jobs.send(wireMessage(message));
    return true;
  } catch (error) {
    log(failureLevel(error), 'chunk_failed', { organisation: organisationId, job: jobId, ...describeError(error) });
    return false;
  }
}
