import * as z from 'zod';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Counters } from '../../kernel/counters.ts';
import { pause } from '../../kernel/deadline.ts';
import { DependencyError, failedDependency } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { describeError, failureLevel, log } from '../../kernel/log.ts';
import {
  type BulkPort,
  callObject,
  type ObjectDeps,
  type OperationsPort,
  type OrganisationStub,
} from '../../organisation/api.ts';
import { deleteOldCalibrations } from '../../storage/postgres/calibration.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { claimCronStep, findCronStep, listCronSteps, upsertCronStep } from '../../storage/postgres/cron-steps.ts';
import { deleteExpiredOutcomes, deleteExpiredReferences } from '../../storage/postgres/feedback.ts';
import {
  deleteOrphanedSteps,
  listNightlySteps,
  listWholeNights,
  upsertNightlyStep,
} from '../../storage/postgres/nightly-steps.ts';
import { hasOrganisationBefore } from '../../storage/postgres/organisations.ts';
import { dropExpiredPartitions } from '../../storage/postgres/partitions.ts';
import type { Blobs } from '../../storage/r2.ts';
import { sweepBulkFiles } from '../bulk/sweep.ts';
import { type CalibrationDeps, calibrateOrganisation } from '../calibration/calibration.ts';
import { rollUpOrganisation } from '../insights/roll-up.ts';
import { type DeletionDeps, deleteRemains } from '../operator/delete-remains.ts';
import { allOrganisations } from '../operator/known-organisations.ts';
import { type WireMessage, wireMessage } from '../queue-message.ts';
import { LISTS_STEP, type ListRefreshDeps, refreshDisposableLists } from './disposable-lists.ts';
import { isDone, isDue, lastNight, vainTries } from './missed.ts';

export interface NightlyDeps extends CalibrationDeps {
  readonly db: Database;
  readonly kv: CalibrationDeps['kv'] & DeletionDeps['kv'];
  readonly objects: ObjectDeps<OrganisationStub & BulkPort & OperationsPort>;
  readonly counters: Counters;
  readonly blobs: Pick<Blobs, 'list' | 'delete'>;
  readonly lists: Omit<ListRefreshDeps, 'db'>;
  readonly queue: Pick<Queue<WireMessage>, 'sendBatch'>;
}

/** What a step did. `done` false: there is more of it than one go holds, and the message comes again for the rest. */
type Report = object & { readonly done?: boolean };

/** Does its part of a run. Done twice, it finds nothing more to do. */
interface Step<Args extends readonly unknown[]> {
  readonly name: string;
  readonly why: string;
  readonly run: (deps: NightlyDeps, ...args: Args) => Promise<Report>;
}

/** What replays a trace is kept 90 days, and so is the model it names. */
const MODELS_KEPT_MS = 90 * DAY_MS;

/** `earlier`: the report of a try in the same night that failed. */
type RunStep = Step<[runAt: number, since: number, earlier: object]>;

const MESSAGES: RunStep = {
  name: 'nightly',
  why: 'each organisation’s own steps run by a message',
  run: sendMessages,
};

/** Once a run, in this order. `since`: what has been done from then on is part of the run. */
const STEPS: readonly RunStep[] = [
  MESSAGES,
  {
    name: 'partitions',
    why: 'months whose rows are past retention',
    run: ({ db }, now) => dropExpiredPartitions(db, now),
  },
  {
    name: 'old_rows',
    why: 'outcomes and customers’ references past retention, models that no trace’s detail names any more, and what a deleted organisation left',
    run: async ({ db }, runAt) => ({
      outcomes: await deleteExpiredOutcomes(db, runAt),
      references: await deleteExpiredReferences(db, runAt),
      calibrations: await deleteOldCalibrations(db, runAt - MODELS_KEPT_MS),
      steps: await deleteOrphanedSteps(db),
    }),
  },
  {
    name: 'bulk_files',
    why: 'files and jobs that their objects’ timers missed',
    run: ({ objects, blobs }) => sweepBulkFiles({ objects, blobs }),
  },
  {
    name: LISTS_STEP,
    why: 'a new throwaway domain blocks without a deploy',
    run: ({ db, lists }, runAt) => refreshDisposableLists({ ...lists, db }, runAt),
  },
];

/** How long a message may take to be worked on: a night has one for each organisation, and some come again. */
const MESSAGE_MS = 3 * HOUR_MS;

/** Of a night whose own messages are that old. */
const SEND_AGAIN: RunStep = {
  name: 'nightly_again',
  why: 'an organisation’s message was lost, or died after its last try',
  run: sendMessages,
};

/** A queue's invocation has 15 minutes; what is left is done when the message comes again. */
const ROLL_UP_MS = 10 * MINUTE_MS;

/** For each organisation, in this order. */
const ORGANISATION_STEPS: readonly Step<[id: Id<'org'>, runAt: number]>[] = [
  {
    name: 'rollups',
    why: 'segments, recommendations and experiments are read from them',
    run: ({ db }, id, runAt) => rollUpOrganisation(db, id, runAt, ROLL_UP_MS),
  },
  { name: 'calibration', why: 'the model learns from outcomes', run: calibrateOrganisation },
];

/** The queue took no message for these, and for any others everything is as it should be. */
class Unsent extends DependencyError {
  readonly organisations: readonly string[];

  constructor(organisations: readonly string[], cause: unknown) {
    super('queue', `the queue took no message for ${organisations.length} organisations`, { cause });
    this.name = 'Unsent';
    this.organisations = organisations;
  }
}

/** Organisations that a report names; where more had no message, all are sent for again. */
const UNSENT_MAX = 1_000;
const Unfinished = z.object({ unsent: z.array(z.string()).min(1).max(UNSENT_MAX) });

/**
 * To each organisation that has steps left, or to those alone that an earlier try has not sent for. A page that the queue does
 * not take, and does not take again, keeps no other from its night.
 */
async function sendMessages(
  { db, queue }: NightlyDeps,
  runAt: number,
  since: number,
  earlier: object,
): Promise<object> {
  const names = ORGANISATION_STEPS.map(({ name }) => name);
  const { data } = Unfinished.safeParse(earlier);
  const only = data === undefined ? null : new Set(data.unsent);
  let organisations = 0;
  const unsent: string[] = [];
  let cause: unknown;
  for await (const page of allOrganisations(db)) {
    const older = page.filter(({ id, createdAt }) => createdAt <= since && only?.has(id) !== false).map(({ id }) => id);
    if (older.length === 0) continue;
    const whole = await listWholeNights(db, older, names, since);
    const left = older.filter((id) => !whole.has(id));
    if (left.length === 0) continue;
    const messages = left.map((organisationId) => ({
      body: wireMessage({ kind: 'night', organisationId, runAt, since }),
    }));
    const send = () => queue.sendBatch(messages);
    organisations += left.length;
    await send()
      .catch(send)
      .catch((error: unknown) => {
        cause = error;
        unsent.push(...left);
      });
  }
  if (unsent.length > 0) throw new Unsent(unsent, cause);
  return { organisations };
}

/** The error's name alone: messages may quote what they choked on. */
const failure = (error: unknown): object => ({
  failed: error instanceof Error ? error.name : typeof error,
  ...(error instanceof Unsent && error.organisations.length <= UNSENT_MAX ? { unsent: error.organisations } : {}),
});

/** Outages alone are an outage; one bug among them is a bug. */
function requireNone(failed: ReadonlyMap<RunStep, unknown>): void {
  if (failed.size === 0) return;
  const message = `steps failed: ${[...failed.keys()].map(({ name }) => name).join(', ')}`;
  const errors = [...failed.values()];
  const cause = errors.find((error) => failedDependency(error) === null) ?? errors[0];
  throw new Error(message, { cause });
}

/** Postgres or the queue may be restarting just then. */
const RETRY_AFTER_MS = 5 * SECOND_MS;

/** A tick may write the outbox out after an outage. */
const OBJECT_TIMEOUT_MS = MINUTE_MS;
/** A flush gives up waiting after 2 s, and the writing goes on; what then is left is for the message's next try. */
const FLUSHES_MAX = 15;

export function nightlyServices(deps: NightlyDeps) {
  const { db, objects, counters } = deps;
  const { now } = objects;

  /**
   * What the object has been told before the run is part of it: false while some of that is still to be written. Of an object
   * out of reach the next run finds it.
   */
  async function writeOut(id: Id<'org'>): Promise<boolean> {
    await callObject(objects, id, 'tick', (stub) => stub.tick(), OBJECT_TIMEOUT_MS);
    for (let flushes = 0; flushes < FLUSHES_MAX; flushes += 1) {
      const flushed = await callObject(objects, id, 'flush', (stub) => stub.flush(null), OBJECT_TIMEOUT_MS);
      if (!flushed.ok || flushed.value.drained) return true;
    }
    return false;
  }

  async function runSteps(id: Id<'org'>, runAt: number, since: number): Promise<boolean> {
    const known = await listNightlySteps(db, id);
    if (!(await writeOut(id))) return false;
    let isWhole = true;
    for (const { name, run } of ORGANISATION_STEPS) {
      if (known.some((done) => done.step === name && done.ok && done.runAt >= since)) continue;
      const startedAt = now();
      const done = await run(deps, id, runAt).then(
        (report) => ({ ok: report.done !== false, report }),
        (error: unknown) => {
          log(failureLevel(error), 'nightly_step_failed', { step: name, organisation: id, ...describeError(error) });
          return { ok: false, report: failure(error) };
        },
      );
      isWhole &&= done.ok;
      const finishedAt = now();
      counters.add('cron_step_ms', finishedAt - startedAt, name);
      await upsertNightlyStep(db, { organisationId: id, step: name, runAt, finishedAt, ...done });
    }
    return isWhole;
  }

  /** Does a step and keeps its report. What it throws is why it failed. */
  async function runStep({ name: step, run }: RunStep, runAt: number, since: number): Promise<void> {
    const last = await findCronStep(db, step);
    const tries = vainTries(last, since) + 1;
    const earlier = tries > 1 ? Object(last?.report) : {};
    const startedAt = now();
    const begun = { step, startedAt, finishedAt: startedAt, report: { ...earlier, failed: 'unfinished', tries } };
    // The word that it has begun stands for one that outlives its invocation, and keeps others from doing the same beside it.
    if (!(await claimCronStep(db, begun, last?.startedAt ?? startedAt))) return;
    const [end] = await Promise.allSettled([run(deps, runAt, since, earlier)]);
    const report = end.status === 'fulfilled' ? end.value : { ...failure(end.reason), tries };
    const finishedAt = now();
    log('info', 'nightly_step', { step, report });
    counters.add('cron_step_ms', finishedAt - startedAt, step);
    await upsertCronStep(db, { step, startedAt, finishedAt, report });
    if (end.status === 'rejected') throw end.reason;
  }

  /** The steps that failed, or whose report could not be kept, and why. One that another run is at is none of them. */
  async function runOnce(
    steps: Iterable<RunStep>,
    runAt: number,
    since: number,
  ): Promise<ReadonlyMap<RunStep, unknown>> {
    const failed = new Map<RunStep, unknown>();
    for (const step of steps) {
      try {
        await runStep(step, runAt, since);
      } catch (error) {
        log(failureLevel(error), 'nightly_step_failed', { step: step.name, ...describeError(error) });
        failed.set(step, error);
      }
    }
    return failed;
  }

  return {
    /**
     * Once a night. A step that fails stops no other and is tried once more, and then left to `catchUp`. The run then fails as
     * a whole, for the platform to show.
     */
    async begin(): Promise<void> {
      const runAt = now();
      let failed = await runOnce(STEPS, runAt, runAt);
      if (failed.size > 0) {
        await pause(RETRY_AFTER_MS);
        failed = await runOnce(failed.keys(), runAt, runAt);
      }
      requireNone(failed);
    },

    /**
     * Every few minutes: what the last night has left undone, because Postgres, the queue or the cron itself was away, or a
     * message was lost. What it has done is not repeated, and what fails again and again is tried ever more seldom.
     */
    async catchUp(): Promise<void> {
      const since = lastNight(now());
      if (!(await hasOrganisationBefore(db, since))) return;
      const last = new Map((await listCronSteps(db)).map((each) => [each.step, each]));
      const left = STEPS.filter(({ name }) => !isDone(last.get(name), since));
      const sentAt = [MESSAGES, SEND_AGAIN].map(({ name }) => last.get(name)?.startedAt ?? 0);
      const isLate = now() - Math.max(...sentAt) >= MESSAGE_MS || vainTries(last.get(SEND_AGAIN.name), since) > 0;
      const again = isLate && !left.includes(MESSAGES) ? [SEND_AGAIN] : [];
      const due = [...left, ...again].filter(({ name }) => isDue(last.get(name), since, now()));
      requireNone(await runOnce(due, now(), since));
    },

    /** An organisation's steps of a run, but those that are done. False: some failed, and may do better later. */
    async organisation(id: Id<'org'>, runAt: number, since: number): Promise<boolean> {
      try {
        const known = await callObject(objects, id, 'settings', (stub) => stub.settings());
        if (!known.ok || known.value !== 'deleted') return await runSteps(id, runAt, since);
        await deleteRemains({ db, objects, blobs: deps.blobs, kv: deps.kv }, id);
        return true;
      } catch (error) {
        log(failureLevel(error), 'nightly_failed', { organisation: id, ...describeError(error) });
        return false;
      }
    },
  };
}
