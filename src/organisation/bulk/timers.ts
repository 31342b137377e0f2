import { CHUNK_ADDRESSES } from '../../domain/bulk/csv/address-file.ts';
import { resume } from '../../domain/bulk/job.ts';
import { expireLeases, CHUNKS_MAX } from '../../domain/bulk/chunks.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ObjectCore } from '../core.ts';
import * as store from '../sql/bulk.ts';
import type { BulkJobs } from './jobs.ts';

/** How long a worker may still write after the files were deleted under its lease. */
const LAST_WRITES_MS = 2 * MINUTE_MS;
/** Jobs of one transaction. */
const DUE_AT_ONCE = 100;
/** Tries of a mail, over an hour in all. While one is sent, its job is due again after that try's wait. */
const MAIL_TRIES_MAX = 8;

type NextAt = () => number | null;

/** One timer each for the queue, the files and the mails of jobs. */
export class BulkTimers {
  private readonly core: ObjectCore;
  private readonly jobs: BulkJobs;

  constructor(core: ObjectCore, jobs: BulkJobs) {
    this.core = core;
    this.jobs = jobs;
  }

  async wakeWorkers(now: number): Promise<NextAt> {
    const wakes: Id<'bj'>[] = [];
    this.handleDue('bulk', now, (id) => wakes.push(...this.wakeUpsFor(id, now)));
    if (wakes.length > 0) await this.core.services.wakeJobs(this.core.require().id, wakes);
    return this.nextAt('bulk');
  }

  async deleteFiles(now: number): Promise<NextAt> {
    const due: Id<'bj'>[] = [];
    this.handleDue('bulk_files', now, (id, { filesDue }) => {
      if (filesDue !== null && filesDue <= now) due.push(id);
    });
    await oneByOne(due, async (id) => {
      await this.core.services.deleteJobFiles(this.core.require().id, id);
      this.update(id, ({ record, filesDue }) => {
        const lastWrites = (record.job.filesDeletedAt ?? now) + LAST_WRITES_MS;
        return { filesDue: filesDue === null || now >= lastWrites ? null : lastWrites };
      });
    });
    return this.nextAt('bulk_files');
  }

  /** One mail at a time, so that a hanging service holds only one of the object's few connections. */
  async sendMails(now: number): Promise<NextAt> {
    const due: store.HeldJob[] = [];
    this.handleDue('bulk_mails', now, (_, held) => due.push(held));
    await oneByOne(due, async ({ record }) => {
      const isSent = await this.core.services.sendJobMail(record);
      this.update(record.job.id, ({ mailTry }) => ({
        mailTry: isSent || mailTry === 0 || mailTry >= MAIL_TRIES_MAX ? 0 : mailTry + 1,
      }));
    });
    return this.nextAt('bulk_mails');
  }

  /** Ends overdue leases, pauses and files, then calls `each` with the job as it was before. */
  private handleDue(timer: store.BulkTimerName, now: number, each: (id: Id<'bj'>, held: store.HeldJob) => void): void {
    this.core.transact(() => {
      for (const due of store.listDueJobs(this.core.sql, now, DUE_AT_ONCE, timer)) {
        this.endExpired(due.record.job.id, now);
        each(due.record.job.id, due);
      }
    });
  }

  private endExpired(id: Id<'bj'>, now: number): void {
    const held = this.jobs.find(id);
    if (held === null) return;
    const before = this.jobs.workOf(held);
    const lapsed = expireLeases(before, now);
    const resumed = resume(lapsed.job, this.jobs.capacity(held.record));
    this.jobs.save(held, before.chunks, typeof resumed === 'string' ? lapsed : { ...lapsed, job: resumed });
  }

  private wakeUpsFor(id: Id<'bj'>, now: number): Id<'bj'>[] {
    const held = this.jobs.find(id);
    if (held === null || held.record.job.state !== 'running') return [];
    const { job, chunks } = this.jobs.workOf(held);
    const leased = chunks.filter(({ lease }) => lease !== null).length;
    const waiting = chunks.filter(({ lease, until }) => lease === null && until <= now).length;
    const uncut = Math.ceil(((job.file?.unique ?? 0) - job.cursor) / CHUNK_ADDRESSES);
    return Array<Id<'bj'>>(Math.min(CHUNKS_MAX - leased, waiting + uncut)).fill(id);
  }

  /** Writes the result of outside work into the current state of the job. */
  private update(
    id: Id<'bj'>,
    change: (held: store.HeldJob) => Partial<Pick<store.HeldJob, 'filesDue' | 'mailTry'>>,
  ): void {
    this.core.transact(() => {
      const held = store.findJob(this.core.sql, id);
      if (held !== null) this.jobs.save({ ...held, ...change(held) }, [], this.jobs.workOf(held));
    });
  }

  private nextAt(timer: store.BulkTimerName): NextAt {
    return () => store.nextJobDueAt(this.core.sql, timer);
  }
}

/** Continues after a failure, and rejects at the end so that the timer retries. */
async function oneByOne<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const each of all) await work(each).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
