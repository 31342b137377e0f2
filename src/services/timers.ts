import { callObject, askOperators, callOperators } from '../organisation/api.ts';
import { upsertCronStep } from '../storage/postgres/nightly-steps.ts';
import type { BackgroundDeps } from './deps.ts';
import { type MessageOf, queueMessage } from './queue-message.ts';

/**
 * Runs an organisation's due timers in its object; the sweep covers it until that is done. False: the object is
 * unreachable.
 */
export async function runTimers(
  { objects }: BackgroundDeps,
  { organisationId }: MessageOf<'timers'>,
): Promise<boolean> {
  const { ok } = await callObject(objects, organisationId).tick();
  // If this fails, the next sweep repeats it.
  if (ok) await callOperators(objects).endWork(organisationId);
  return ok;
}

/** The queue's limit for one batch. */
const BATCH = 100;

/**
 * Every few minutes: one message for each organisation at work, in case its object's alarm or an earlier message was
 * lost. Others sleep until the night.
 */
export async function wakeOrganisations({ db, objects, queues, counters }: BackgroundDeps): Promise<void> {
  const startedAt = objects.now();
  const ids = await askOperators(objects).listAtWork();
  for (let from = 0; from < ids.length; from += BATCH) {
    const messages = ids.slice(from, from + BATCH).map((organisationId) => ({
      body: queueMessage({ kind: 'timers', organisationId }),
    }));
    await queues.timers.sendBatch(messages);
  }
  const finishedAt = objects.now();
  counters.add('cron_step_ms', finishedAt - startedAt, 'wake');
  await upsertCronStep(db, { step: 'wake', startedAt, finishedAt, report: { organisations: ids.length } });
}
