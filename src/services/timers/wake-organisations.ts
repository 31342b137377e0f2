import { callObject } from '../../organisation/api.ts';
import { upsertCronStep } from '../../storage/postgres/cron-steps.ts';
import type { BackgroundDeps } from '../deps.ts';
import { allOrganisations } from '../operator/known-organisations.ts';
import { OPERATORS_ID } from '../operator/operators.ts';
import { wireMessage } from '../queue-message.ts';

/** Every few minutes: one message an organisation, in case its object's alarm or an earlier message was lost. */
export async function wakeOrganisations({ db, objects, queues, counters }: BackgroundDeps): Promise<void> {
  const startedAt = objects.now();
  let organisations = 0;
  for await (const page of allOrganisations(db)) {
    await queues.timers.sendBatch(
      page.map(({ id }) => ({ body: wireMessage({ kind: 'timers', organisationId: id }) })),
    );
    // The operators' object lacks organisations that are older than its list, or than the loss of the object.
    const ids = page.map(({ id }) => id);
    await callObject(objects, OPERATORS_ID).noteOrganisations(ids);
    organisations += page.length;
  }
  const finishedAt = objects.now();
  counters.add('cron_step_ms', finishedAt - startedAt, 'wake');
  await upsertCronStep(db, { step: 'wake', startedAt, finishedAt, report: { organisations } });
}
