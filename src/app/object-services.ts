import { jobPrefix } from '../domain/bulk/files.ts';
import type { JobRecord } from '../domain/bulk/port.ts';
import type { OutboxRow, WriteFailure } from '../domain/organisation/index.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { LATE, within } from '../kernel/deadline.ts';
import type { Id } from '../kernel/ids.ts';
import { deletePrefix } from '../platform/blob.ts';
import { analyticsCounters, type Counters } from '../platform/counters.ts';
import { connectDatabase } from '../platform/db/client.ts';
import { describeError, failureLevel, log } from '../platform/log.ts';
import { notifyDone } from './bulk/notify.ts';
import { serviceClock } from './clock.ts';
import { eraseLateRows } from './erasure.ts';
import { hasher } from './hasher.ts';
import { configOf } from './isolate.ts';
import { writeOutbox } from './projection.ts';

/** What an organisation's object needs of the world outside its own storage. */
export interface ObjectServices {
  readonly now: Clock;
  /** How far service time is ahead of the machine's, which alarms go by. */
  readonly clockOffsetMs: number;
  readonly counters: Counters;
  wakeJobs(organisation: Id<'org'>, jobs: readonly Id<'bj'>[]): Promise<void>;
  deleteJobFiles(organisation: Id<'org'>, job: Id<'bj'>): Promise<void>;
  /** False: to be tried again. */
  sendJobMail(record: JobRecord): Promise<boolean>;
  writeOutbox(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null>;
  /** Cuts addresses, by their hashes, off what Postgres has of them; false: it is to be tried again. */
  erase(organisation: Id<'org'>, addressHashes: readonly string[]): Promise<boolean>;
}

/** A queue or a bucket that gives no answer is one that failed. What was asked of it may be done all the same. */
const ANSWER_TIMEOUT_MS = 30 * SECOND_MS;

async function answered(work: Promise<unknown>): Promise<void> {
  if ((await within(work, ANSWER_TIMEOUT_MS)) === LATE) throw new Error('no answer in time');
}

export function openObjectServices(env: Env): ObjectServices {
  const { clockOffsetMs, database, mail, publicUrl, secrets } = configOf(env);
  const db = connectDatabase(database);
  const hashAddress = hasher(secrets.hash, 'address');
  return {
    now: serviceClock(clockOffsetMs),
    clockOffsetMs,
    counters: analyticsCounters(env.COUNTERS),
    wakeJobs: (organisation, jobs) =>
      answered(
        env.BULK_QUEUE.sendBatch(jobs.map((job) => ({ body: { v: 1, organisation_id: organisation, job_id: job } }))),
      ),
    deleteJobFiles: (organisation, job) => answered(deletePrefix(env.BULK_FILES, jobPrefix(organisation, job))),
    sendJobMail: (record) => notifyDone({ db, mail, publicUrl, fetch: (url, init) => fetch(url, init) }, record),
    writeOutbox: (kind, rows) => writeOutbox(db, kind, rows),
    erase: (organisation, addressHashes) =>
      eraseLateRows({ db, hashAddress }, organisation, addressHashes).then(
        () => true,
        (error: unknown) => {
          log(failureLevel(error), 'erasure_failed', { organisation, ...describeError(error) });
          return false;
        },
      ),
  };
}
