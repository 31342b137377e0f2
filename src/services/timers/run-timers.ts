import { callObject } from '../../organisation/api.ts';
import type { BackgroundDeps } from '../deps.ts';
import type { MessageOf } from '../queue-message.ts';

/** Has an organisation's object run the timers that are due. False: the object can't be reached. */
export async function runTimers(
  { objects }: BackgroundDeps,
  { organisationId }: MessageOf<'timers'>,
): Promise<boolean> {
  return (await callObject(objects, organisationId).tick()).ok;
}
