import { RANGE_ADDRESSES } from '../../domain/bulk/csv/address-file.ts';
import { resume } from '../../domain/bulk/job.ts';
import * as store from '../../domain/bulk/object-store.ts';
import type { JobRecord } from '../../domain/bulk/port.ts';
import { lapse, RANGES_MAX } from '../../domain/bulk/ranges.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { BulkBook } from './bulk-book.ts';

/** Whoever still held a lease when the files went may write once more; after this nobody does. */
const LAST_WRITES_MS = 2 * MINUTE_MS;
/** Jobs looked at in one go. */
const DUE_AT_ONCE = 100;
/** Two hours in all. */
const MAIL_TRIES_MAX = 8;

/** What jobs need of the world outside their object. */
export interface BulkWorld {
  wake(jobs: readonly Id<'bj'>[]): Promise<void>;
  deleteFiles(job: Id<'bj'>): Promise<void>;
  /** False: to be tried again. */
  sendMail(record: JobRecord): Promise<boolean>;
}

/** What is done for jobs when its time has come, and by nobody's call. */
export class BulkTimer {
  private readonly book: BulkBook;
  private readonly world: BulkWorld;

  constructor(book: BulkBook, world: BulkWorld) {
    this.book = book;
    this.world = world;
  }

  /**
   * The timer: ends leases and files, wakes whoever works, deletes, mails. Says when it is due again. What fails stops nothing
   * else, and rejects in the end, to be tried again.
   */
  async work(now: number): Promise<number | null> {
    const wakes: Id<'bj'>[] = [];
    const due = store.listDueJobs(this.book.sql, now, DUE_AT_ONCE);
    this.book.transact(() => {
      for (const { record } of due) wakes.push(...this.tend(record.job.id, now));
    });
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>): Promise<unknown> => work.catch((error: unknown) => failures.push(error));
    if (wakes.length > 0) await attempt(this.world.wake(wakes));
    for (const { record } of due) await attempt(this.tidy(record.job.id, now));
    if (failures.length > 0) throw failures[0];
    return store.nextJobDueAt(this.book.sql);
  }

  /** One wake-up for each range that can be claimed now. */
  private tend(id: Id<'bj'>, now: number): Id<'bj'>[] {
    const held = this.book.find(id);
    if (held === null) return [];
    const before = this.book.workOf(held);
    const lapsed = lapse(before, now);
    const resumed = resume(lapsed.job, this.book.room(held.record));
    const work = typeof resumed === 'string' ? lapsed : { ...lapsed, job: resumed };
    this.book.save(held, before.ranges, work);
    const { job } = work;
    if (job.state !== 'running') return [];
    const leased = work.ranges.filter(({ lease }) => lease !== null).length;
    const waiting = work.ranges.filter(({ lease, until }) => lease === null && until <= now).length;
    const uncut = Math.ceil(((job.file?.unique ?? 0) - job.cursor) / RANGE_ADDRESSES);
    return Array<Id<'bj'>>(Math.min(RANGES_MAX - leased, waiting + uncut)).fill(id);
  }

  /** What a job's end leaves to do outside the object. */
  private async tidy(id: Id<'bj'>, now: number): Promise<void> {
    const due = store.findJob(this.book.sql, id);
    if (due === null) return;
    const { filesDue, mailTry, record } = due;
    const deletes = filesDue !== null && filesDue <= now;
    if (!deletes && mailTry === 0) return;
    if (deletes) await this.world.deleteFiles(id);
    const sent = mailTry > 0 && (await this.world.sendMail(record));
    this.book.transact(() => {
      const held = store.findJob(this.book.sql, id);
      if (held === null) return;
      const lastWrites = (record.job.filesDeletedAt ?? now) + LAST_WRITES_MS;
      const nextTry = sent || mailTry >= MAIL_TRIES_MAX ? 0 : mailTry + 1;
      const left = {
        ...held,
        filesDue: deletes ? (now >= lastWrites ? null : lastWrites) : held.filesDue,
        mailTry: mailTry === 0 ? held.mailTry : nextTry,
      };
      this.book.save(left, [], this.book.workOf(held));
    });
  }
}
