import { callObject, type ObjectDeps } from '../domain/organisation/client.ts';
import type { Id } from '../kernel/ids.ts';
import type { Counters } from '../platform/counters.ts';
import type { Database } from '../platform/db/client.ts';
import { upsertCronStep } from '../platform/db/cron-steps.ts';
import { allOrganisations } from './operator.ts';

/** Wakes an organisation's object to look at its timers. It carries no data and may be lost or doubled. */
export interface WakeMessage {
  readonly v: 1;
  readonly organisation_id: Id<'org'>;
}

export interface WakeDeps {
  readonly db: Database;
  readonly objects: ObjectDeps;
  readonly queue: Pick<Queue<WakeMessage>, 'sendBatch'>;
  readonly counters: Counters;
}

export function wakeServices(deps: WakeDeps) {
  const { db, objects, queue, counters } = deps;
  return {
    /** The sweep behind alarms and wake-ups that were lost: one message an organisation. */
    async everyOrganisation(): Promise<void> {
      const startedAt = objects.now();
      let organisations = 0;
      for await (const page of allOrganisations(db)) {
        await queue.sendBatch(page.map(({ id }) => ({ body: { v: 1, organisation_id: id } })));
        organisations += page.length;
      }
      const finishedAt = objects.now();
      counters.add('cron_step_ms', finishedAt - startedAt, 'wake');
      await upsertCronStep(db, { step: 'wake', startedAt, finishedAt, report: { organisations } });
    },

    /** Lets an organisation's object run what is due; false when it could not be reached. */
    async organisation(id: Id<'org'>): Promise<boolean> {
      return (await callObject(objects, id, 'tick', (stub) => stub.tick(), TICK_TIMEOUT_MS)).ok;
    },
  };
}

/** A tick writes the outbox out, which may be long after an outage. */
const TICK_TIMEOUT_MS = 60_000;
