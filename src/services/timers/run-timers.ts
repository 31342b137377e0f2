import { callObject, callOperators } from '../../organisation/api.ts';
import type { BackgroundDeps } from '../deps.ts';
import type { MessageOf } from '../queue-message.ts';

/**
 * Has an organisation's object run the timers that are due. Until that is done the sweep goes on to look after it. False: the
 * object can't be reached.
 */
export async function runTimers(
  { objects }: BackgroundDeps,
  { organisationId }: MessageOf<'timers'>,
): Promise<boolean> {
  const { ok } = await callObject(objects, organisationId).tick();
  // Where this fails, the next sweep repeats it.
  if (ok) await callOperators(objects).endWork(organisationId);
  return ok;
}
