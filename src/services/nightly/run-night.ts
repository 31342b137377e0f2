import * as z from 'zod';
import { HOUR_MS, pause, SECOND_MS } from '../../kernel/clock.ts';
import { DependencyError, failedDependency } from '../../kernel/errors.ts';
import { describeError, failureLevel, log } from '../../kernel/log.ts';
import { callOperators } from '../../organisation/api.ts';
import {
  claimCronStep,
  findCronStep,
  listCronSteps,
  listFinishedOrganisations,
  upsertCronStep,
} from '../../storage/postgres/nightly-steps.ts';
import { hasOrganisationBefore } from '../../storage/postgres/organisations.ts';
import { deleteExpiredRows, dropExpiredPartitions } from '../../storage/postgres/retention.ts';
import { sweepBulkFiles } from '../bulk/run-job.ts';
import type { BackgroundDeps } from '../deps.ts';
import { LISTS_STEP, refreshDisposableLists } from '../disposable-lists.ts';
import { allOrganisations, OPERATORS_ID } from '../operators.ts';
import { type MessageOf, queueMessage } from '../queue-message.ts';
import { judgeBackEnds } from './learnt-domains.ts';
import { ORGANISATION_STEPS } from './organisation-night.ts';
import { failedReport, isAtWork, isDone, isDue, lastNight, type Step, UNFINISHED, vainTries } from './steps.ts';

/** A step of the whole run. `since`: work from then on is part of the run. `earlier`: a failed try's report. */
type RunStep = Step<[runAt: number, since: number, earlier: object]> & {
  /** Done by the queue's consumer, in an invocation of its own. */
  readonly isQueued?: true;
  /** It needs this step's result: the same worker does it next. */
  readonly follows?: string;
};

const MESSAGES: RunStep = {
  name: 'nightly',
  why: 'each organisation’s own steps run by a message',
  run: sendMessages,
};

/** Once a run, in this order. */
const STEPS: readonly RunStep[] = [
  MESSAGES,
  {
    name: 'partitions',
    why: 'months whose rows are past retention',
    run: ({ db }, now) => dropExpiredPartitions(db, now),
  },
  {
    name: 'old_rows',
    why: 'outcomes, reports of mail services, customers’ references and lines of audit logs past retention, and what a deleted organisation left',
    run: ({ db }, runAt) => deleteExpiredRows(db, runAt),
  },
  {
    name: 'bulk_files',
    why: 'files and jobs that their objects’ timers missed',
    run: ({ objects, blobs }) => sweepBulkFiles({ objects, blobs }),
  },
  {
    name: LISTS_STEP,
    why: 'a new throwaway domain blocks without a deploy',
    isQueued: true,
    run: ({ db, disposableLists }, runAt) => refreshDisposableLists({ ...disposableLists, db }, runAt),
  },
  {
    name: 'suspected_back_ends',
    why: 'a throwaway domain that no list has yet is told by its mail hosts, by the lists of this night',
    follows: LISTS_STEP,
    run: judgeBackEnds,
  },
];

/** The queue's time for a night's messages: one an organisation, and some redeliveries. */
const MESSAGE_MS = 3 * HOUR_MS;

/** For a night whose messages are older than that. */
const SEND_AGAIN: RunStep = {
  name: 'nightly_again',
  why: 'an organisation’s message was lost, or died after its last try',
  run: sendMessages,
};

/** The queue took no message for these organisations. The others have theirs. */
class Unsent extends DependencyError {
  readonly organisations: readonly string[];

  constructor(organisations: readonly string[], cause: unknown) {
    super('queue', `the queue took no message for ${organisations.length} organisations`, { cause });
    this.name = 'Unsent';
    this.organisations = organisations;
  }
}

/** A report names at most this many organisations. Beyond that, all get a message again. */
const UNSENT_MAX = 1_000;
const Unfinished = z.object({ unsent: z.array(z.string()).min(1).max(UNSENT_MAX) });

/** After so many twice-refused pages in a row the queue is away: a page may wait 20 s, the cron has 15 minutes. */
const AWAY_AFTER_PAGES = 2;

/**
 * Sends a message for each organisation with unfinished steps, or only for those an earlier try left without. A refused
 * page does not stop the others. A queue that is away gets no more pages: all of them are unsent.
 */
async function sendMessages(
  { db, objects, queues }: BackgroundDeps,
  runAt: number,
  since: number,
  earlier: object,
): Promise<object> {
  const names = ORGANISATION_STEPS.map(({ name }) => name);
  const { data } = Unfinished.safeParse(earlier);
  const only = data === undefined ? null : new Set(data.unsent);
  let organisations = 0;
  const unsent: string[] = [];
  let refusedInARow = 0;
  let cause: unknown;
  for await (const page of allOrganisations(db)) {
    // The operators' object may lack organisations from before its list, or after its loss.
    await callOperators(objects).noteOrganisations(page.map(({ id }) => id));
    const older = page.filter(({ id, createdAt }) => createdAt <= since && only?.has(id) !== false).map(({ id }) => id);
    if (older.length === 0) continue;
    const whole = await listFinishedOrganisations(db, older, names, since);
    const left = older.filter((id) => !whole.has(id));
    if (left.length === 0) continue;
    if (refusedInARow === AWAY_AFTER_PAGES) {
      unsent.push(...left);
      continue;
    }
    const messages = left.map((organisationId) => ({
      body: queueMessage({ kind: 'night', organisationId, runAt, since }),
    }));
    const send = () => queues.nights.sendBatch(messages);
    organisations += left.length;
    try {
      await send().catch(send);
      refusedInARow = 0;
    } catch (error) {
      cause = error;
      refusedInARow += 1;
      unsent.push(...left);
    }
  }
  if (unsent.length > 0) throw new Unsent(unsent, cause);
  return { organisations };
}

const failedRun = (error: unknown): object => ({
  ...failedReport(error),
  ...(error instanceof Unsent && error.organisations.length <= UNSENT_MAX ? { unsent: error.organisations } : {}),
});

/** Fails the run if a step failed: as an outage if all failures are outages, else as a bug. */
function requireNone(failed: ReadonlyMap<RunStep, unknown>): void {
  if (failed.size === 0) return;
  const message = `steps failed: ${[...failed.keys()].map(({ name }) => name).join(', ')}`;
  const errors = [...failed.values()];
  const cause = errors.find((error) => failedDependency(error) === null) ?? errors[0];
  throw new Error(message, { cause });
}

/** Postgres or the queue may be restarting. */
const RETRY_AFTER_MS = 5 * SECOND_MS;

/**
 * Nightly. A failing step stops no other, is retried once, and is then left to `catchUpNight`. The run then fails as a
 * whole, for the platform to show.
 */
export async function beginNight(deps: BackgroundDeps): Promise<void> {
  const runAt = deps.now();
  let failed = await runOnce(deps, STEPS, runAt, runAt);
  if (failed.size > 0) {
    await pause(RETRY_AFTER_MS);
    failed = await runOnce(deps, failed.keys(), runAt, runAt);
  }
  requireNone(failed);
}

/**
 * Every few minutes: finishes what the last night left because Postgres, the queue or the cron was away, or a message
 * was lost. Finished work is not repeated; a failing step is retried after ever longer pauses.
 */
export async function catchUpNight(deps: BackgroundDeps): Promise<void> {
  const { db, now } = deps;
  const since = lastNight(now());
  if (!(await hasOrganisationBefore(db, since))) return;
  const last = new Map((await listCronSteps(db)).map((each) => [each.step, each]));
  const left = STEPS.filter(({ name }) => !isDone(last.get(name), since));
  const sentAt = [MESSAGES, SEND_AGAIN].map(({ name }) => last.get(name)?.startedAt ?? 0);
  const isLate = now() - Math.max(...sentAt) >= MESSAGE_MS || vainTries(last.get(SEND_AGAIN.name), since) > 0;
  const again = isLate && !left.includes(MESSAGES) ? [SEND_AGAIN] : [];
  const due = [...left, ...again].filter(({ name }) => isDue(last.get(name), since, now()));
  requireNone(await runOnce(deps, due, now(), since));
}

/** The steps that failed, or whose report could not be stored, and why, without those another run is doing. */
async function runOnce(
  deps: BackgroundDeps,
  steps: Iterable<RunStep>,
  runAt: number,
  since: number,
): Promise<ReadonlyMap<RunStep, unknown>> {
  const failed = new Map<RunStep, unknown>();
  const all = [...steps];
  for (const step of all) {
    if (all.some(({ name }) => name === step.follows)) continue;
    const begun = step.isQueued === true ? sendStep(deps, step, runAt, since) : runStep(deps, step, runAt, since);
    await begun.catch((error: unknown) => {
      logFailed(step, error);
      failed.set(step, error);
    });
  }
  return failed;
}

const logFailed = ({ name: step }: RunStep, error: unknown): void =>
  log(failureLevel(error), 'nightly_step_failed', { step, ...describeError(error) });

async function sendStep(
  { queues }: BackgroundDeps,
  { name: step }: RunStep,
  runAt: number,
  since: number,
): Promise<void> {
  await queues.nights.sendBatch([
    { body: queueMessage({ kind: 'step', organisationId: OPERATORS_ID, step, runAt, since }) },
  ]);
}

/**
 * Does a message's step and those that follow it, if the night still lacks them. A message may come twice, even while
 * the first one's work goes on. False: one failed, and may succeed later.
 */
export async function runQueuedStep(
  deps: BackgroundDeps,
  { step: name, runAt, since }: MessageOf<'step'>,
): Promise<boolean> {
  const asked = STEPS.filter((step) => step.name === name || step.follows === name);
  for (const step of asked) {
    try {
      const last = await findCronStep(deps.db, step.name);
      // The other worker does what follows, too.
      if (isAtWork(last, deps.now())) return true;
      if (!isDone(last, since)) await runStep(deps, step, runAt, since);
    } catch (error) {
      logFailed(step, error);
      return false;
    }
  }
  return true;
}

/** Does a step and stores its report. Throws the step's error. */
async function runStep(
  deps: BackgroundDeps,
  { name: step, run }: RunStep,
  runAt: number,
  since: number,
): Promise<void> {
  const { db, now, counters } = deps;
  const last = await findCronStep(db, step);
  const tries = vainTries(last, since) + 1;
  const earlier = tries > 1 ? Object(last?.report) : {};
  const startedAt = now();
  const begun = { step, startedAt, finishedAt: startedAt, report: { ...earlier, failed: UNFINISHED, tries } };
  // The claim keeps others off the step, and reveals an invocation that was cut short.
  if (!(await claimCronStep(db, begun, last?.startedAt ?? startedAt))) return;
  const [end] = await Promise.allSettled([run(deps, runAt, since, earlier)]);
  const report = end.status === 'fulfilled' ? end.value : { ...failedRun(end.reason), tries };
  const finishedAt = now();
  log('info', 'nightly_step', { step, report });
  counters.add('cron_step_ms', finishedAt - startedAt, step);
  await upsertCronStep(db, { step, startedAt, finishedAt, report });
  if (end.status === 'rejected') throw end.reason;
}
