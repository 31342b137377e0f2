import type { Counters } from '../../kernel/counters.ts';
import type { Id } from '../../kernel/ids.ts';
import { describeError, failureLevel, log } from '../../kernel/log.ts';
import { callObject } from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { upsertCronStep } from '../../storage/postgres/cron-steps.ts';
import { allOrganisations } from '../operator/known-organisations.ts';
import { OPERATORS_ID, type OperationsDeps } from '../operator/operators.ts';
import { type WireMessage, wireMessage } from '../queue-message.ts';

export interface WakeDeps {
  readonly db: Database;
  readonly objects: OperationsDeps;
  readonly queue: Pick<Queue<WireMessage>, 'sendBatch'>;
  readonly counters: Counters;
  readonly jobs: Pick<Queue<WireMessage>, 'send'>;
  runRange(organisation: Id<'org'>, job: Id<'bj'>): Promise<boolean>;
}

export function wakeServices(deps: WakeDeps) {
  const { db, objects, queue, counters } = deps;
  return {
    /** The sweep behind alarms and wake-ups that were lost: one message an organisation. */
    async everyOrganisation(): Promise<void> {
      const startedAt = objects.now();
      let organisations = 0;
      for await (const page of allOrganisations(db)) {
        await queue.sendBatch(page.map(({ id }) => ({ body: wireMessage({ kind: 'timers', organisationId: id }) })));
        // Those from before there was such a list, or from before its object was lost.
        const ids = page.map(({ id }) => id);
        await callObject(objects, OPERATORS_ID, 'noteOrganisations', (stub) => stub.noteOrganisations(ids));
        organisations += page.length;
      }
      const finishedAt = objects.now();
      counters.add('cron_step_ms', finishedAt - startedAt, 'wake');
      await upsertCronStep(db, { step: 'wake', startedAt, finishedAt, report: { organisations } });
    },

    /** Does ranges of a job. An invocation has so many look-ups and no more: what takes time is the last, the next another's. */
    async job(organisation: Id<'org'>, job: Id<'bj'>): Promise<boolean> {
      const startedAt = objects.now();
      try {
        while (await deps.runRange(organisation, job)) {
          if (objects.now() - startedAt < GOES_ON_MS) continue;
          await deps.jobs.send(wireMessage({ kind: 'job', organisationId: organisation, jobId: job }));
          break;
        }
        return true;
      } catch (error) {
        log(failureLevel(error), 'range_failed', { organisation, job, ...describeError(error) });
        return false;
      }
    },

    /** Lets an organisation's object run what is due; false when it could not be reached. */
    async organisation(id: Id<'org'>): Promise<boolean> {
      return (await callObject(objects, id, 'tick', (stub) => stub.tick(), TICK_TIMEOUT_MS)).ok;
    },
  };
}

/** Some ranges of which everything is known; not one for which providers are asked. */
const GOES_ON_MS = 250;

/** A tick writes the outbox out, which may be long after an outage. */
const TICK_TIMEOUT_MS = 60_000;
