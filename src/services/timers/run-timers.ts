import { MINUTE_MS } from '../../kernel/clock.ts';
import { callObject } from '../../organisation/api.ts';
import type { BackgroundDeps } from '../deps.ts';
import type { MessageOf } from '../queue-message.ts';

/** A tick writes the outbox out, which takes long after an outage. */
const TICK_TIMEOUT_MS = MINUTE_MS;

/** Has an organisation's object run the timers that are due. False: the object can't be reached. */
export async function runTimers(
  { objects }: BackgroundDeps,
  { organisationId }: MessageOf<'timers'>,
): Promise<boolean> {
  return (await callObject(objects, organisationId, 'tick', (stub) => stub.tick(), TICK_TIMEOUT_MS)).ok;
}
